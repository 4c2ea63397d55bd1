import Database from "better-sqlite3";
import { identifier } from "../../../codegen/ddl/sqlText.ts";
import { decodeRow } from "../../../codegen/records/rowCodec.ts";
import { joinStore } from "../../store/database/joinStore.ts";
import { checkLayout } from "../../store/database/storeLayout.ts";
import { sampleColumnValue } from "./sampleRows.ts";
import { insertSql } from "./sqlValue.ts";
import type { StoreSide } from "./storeSide.ts";

/** Statements to try on a table. */
export interface Trial {
  /** What must be there first. */
  readonly setup: readonly string[];
  readonly statement: string;
}

export type TrialOutcome =
  /** The database took the statement, and a program of its side reads every row. */
  | { readonly status: "accepted" }
  | { readonly status: "refused"; readonly by: "database" | "reader"; readonly refusal: string }
  /** What must be there first was refused: the trial says nothing. */
  | { readonly status: "unusable" };

/** Who stands in the way of a program that opens a store of the other side. */
export interface OpeningRefusal {
  readonly by: "store" | "reader";
  readonly refusal: string;
}

/** A database in memory with the layout of one side. What is tried in it is rolled back. */
export class TrialStore {
  private readonly side: StoreSide;
  private readonly database = new Database(":memory:");

  constructor(side: StoreSide) {
    this.side = side;
    const { tables, indexes, triggers } = side.layout;
    for (const { sql } of [...tables, ...indexes, ...triggers]) this.database.exec(sql);
    for (const table of side.sources.tables) {
      if (table.columns.some(({ value }) => value.constant === undefined)) continue;
      const row = table.columns.map((column) => [column.name, sampleColumnValue(column)] as const);
      this.database.exec(insertSql(table.name, Object.fromEntries(row)));
    }
  }

  /** What this side makes of a trial. */
  outcome(table: string, trial: Trial): TrialOutcome {
    return this.rolledBack(() => {
      if (this.attempt(trial.setup) !== undefined) return { status: "unusable" };
      const refusal = this.attempt([trial.statement]);
      if (refusal !== undefined) return { status: "refused", by: "database", refusal };
      const unread = this.unreadBy(this.side, table);
      return unread === undefined ? { status: "accepted" } : { status: "refused", by: "reader", refusal: unread };
    });
  }

  /** Why a program of another side cannot read what a trial leaves here; undefined where it can. */
  refusalOfReader(other: StoreSide, table: string, trial: Trial): string | undefined {
    return this.rolledBack(() => {
      if (this.attempt([...trial.setup, trial.statement]) !== undefined) return undefined;
      return this.unreadBy(other, table);
    });
  }

  /** Why a program of another side cannot work with a store of this layout in which trials left their rows. */
  refusalOfOpening(other: StoreSide, table: string, trial: Trial | undefined): OpeningRefusal | undefined {
    return this.rolledBack(() => {
      const statements = trial === undefined ? [] : [...trial.setup, trial.statement];
      if (this.attempt(statements) !== undefined) return undefined;
      const refusal = this.refusalOf(() => {
        checkLayout(this.database, "the store", other.design);
        joinStore(this.database, "the store", other.design);
      });
      if (refusal !== undefined) return { by: "store", refusal };
      const unread = this.unreadBy(other, table);
      return unread === undefined ? undefined : { by: "reader", refusal: unread };
    });
  }

  /** How SQLite finds the rows of a query. */
  queryPlan(query: string): string {
    const steps = this.database.prepare<[], { readonly detail: string }>(`EXPLAIN QUERY PLAN ${query}`).all();
    return steps.map(({ detail }) => detail).join("; ");
  }

  close(): void {
    this.database.close();
  }

  private rolledBack<Result>(work: () => Result): Result {
    this.database.exec("BEGIN");
    try {
      return work();
    } finally {
      // An ABORT of a trigger may have ended the transaction already.
      if (this.database.inTransaction) this.database.exec("ROLLBACK");
    }
  }

  private attempt(statements: readonly string[]): string | undefined {
    return this.refusalOf(() => {
      for (const statement of statements) this.database.exec(statement);
    });
  }

  private refusalOf(work: () => void): string | undefined {
    try {
      work();
      return undefined;
    } catch (error) {
      return firstSentence(error instanceof Error ? error.message : String(error));
    }
  }

  private unreadBy(side: StoreSide, table: string): string | undefined {
    const shape = side.shapes.get(table);
    if (shape === undefined || !this.side.shapes.has(table)) return undefined;
    for (const row of this.database.prepare(`SELECT * FROM ${identifier(table)}`).all()) {
      const decoded = decodeRow(shape, row);
      if (!decoded.ok) return decoded.violations[0]?.message ?? "The row breaks a rule.";
    }
    return undefined;
  }
}

function firstSentence(message: string): string {
  return message.split(/(?<=\.)\s/)[0]?.replace(/\.$/, "") ?? message;
}
