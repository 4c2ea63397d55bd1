import Database from "better-sqlite3";
import { identifier } from "../../../codegen/ddl/sqlText.ts";
import { decodeRow } from "../../../codegen/records/rowCodec.ts";
import { CONTROLLER_STORE_SCHEMA_ID } from "../../../generated/ddl.ts";
import { joinStore } from "../../store/database/joinStore.ts";
import { checkLayout } from "../../store/database/storeLayout.ts";
import { sampleColumnValue } from "./sampleRows.ts";
import { parametersOf, preparedSql, type Statement, shownSql } from "./sqlValue.ts";
import type { StoreSide } from "./storeSide.ts";
import type { Trial } from "./trials.ts";

export type TrialOutcome =
  /** The database took the statement, and a program of its side reads every row. */
  | { readonly status: "accepted" }
  | { readonly status: "refused"; readonly by: "database" | "reader"; readonly refusal: string }
  /** What must be there first was refused: the trial says nothing. */
  | { readonly status: "unusable" };

/** What stands in the way of a program that opens a store of the other side. */
export interface OpeningRefusal {
  readonly by: "store" | "reader";
  readonly refusal: string;
}

/** What sentences of the store call the database, and the beginning of the sentence that refuses one. */
const STORE = "the store";
const INCOMPATIBLE = `${STORE} cannot be used as a controller store: `;

/** A database in memory with the layout of one side. What is tried in it is rolled back. */
export class TrialStore {
  private readonly side: StoreSide;
  private readonly database = new Database(":memory:");
  private readonly prepared = new Map<string, Database.Statement>();

  constructor(side: StoreSide) {
    this.side = side;
    const { tables, indexes, triggers } = side.layout;
    for (const { sql } of [...tables, ...indexes, ...triggers]) this.database.exec(sql);
    for (const { name, columns } of side.sources.tables) {
      if (columns.some(({ value }) => value.constant === undefined)) continue;
      const values = columns.map((column) => [column.name, sampleColumnValue(column)] as const);
      this.run({ kind: "insert", table: name, values: Object.fromEntries(values) });
    }
  }

  /** What this side makes of a trial. */
  outcome(trial: Trial): TrialOutcome {
    return this.rolledBack(() => this.outcomeOf(trial, (statement) => this.run(statement)));
  }

  /** What this side makes of the statements as a person would type them. */
  outcomeAsShown(trial: Trial): TrialOutcome {
    return this.rolledBack(() => this.outcomeOf(trial, (statement) => this.database.exec(shownSql(statement))));
  }

  /** Why a program of another side cannot read what a trial leaves here; undefined where it can. */
  refusalOfReader(other: StoreSide, { setup, statement }: Trial): string | undefined {
    return this.rolledBack(() => {
      const failure = refusalOf(() => [...setup, statement].map((each) => this.run(each)));
      return failure === undefined ? this.unreadBy(other, statement.table) : undefined;
    });
  }

  /** Why a program of another side cannot work with a store of this layout that holds what a trial leaves. */
  refusalOfOpening(other: StoreSide, trial: Trial | undefined): OpeningRefusal | undefined {
    return this.rolledBack(() => {
      const statements = trial === undefined ? [] : [...trial.setup, trial.statement];
      if (refusalOf(() => statements.map((each) => this.run(each))) !== undefined) return undefined;
      const otherId = this.otherSchemaId(other);
      if (otherId !== undefined) return { by: "store", refusal: otherId };
      const refusal = refusalOf(() => {
        this.nameKnownSchemaId();
        checkLayout(this.database, STORE, other.design);
        joinStore(this.database, STORE, other.design);
      });
      if (refusal !== undefined) return { by: "store", refusal: refusal.replace(INCOMPATIBLE, "") };
      const unread = trial === undefined ? undefined : this.unreadBy(other, trial.statement.table);
      return unread === undefined ? undefined : { by: "reader", refusal: unread };
    });
  }

  /** What the product says of a store whose schema id is not the one that the other side demands. */
  private otherSchemaId(other: StoreSide): string | undefined {
    const [found, needed] = [schemaIdOf(this.side), schemaIdOf(other)];
    if (found === needed || found === undefined || needed === undefined) return undefined;
    return `its schema id is ${JSON.stringify(found)} where this version needs ${JSON.stringify(needed)}`;
  }

  /** The code that opens stores is that of this version: where both sides name another id, the rest can still be judged. */
  private nameKnownSchemaId(): void {
    const found = schemaIdOf(this.side);
    if (found === undefined || found === CONTROLLER_STORE_SCHEMA_ID) return;
    this.database.prepare("UPDATE schema_info SET schema_id = ?").run(CONTROLLER_STORE_SCHEMA_ID);
  }

  /** How SQLite finds the rows of a query. */
  queryPlan(query: string): string {
    const steps = this.database.prepare<[], { readonly detail: string }>(`EXPLAIN QUERY PLAN ${query}`).all();
    return steps.map(({ detail }) => detail).join("; ");
  }

  close(): void {
    this.database.close();
  }

  private outcomeOf({ setup, statement }: Trial, run: (statement: Statement) => void): TrialOutcome {
    if (refusalOf(() => setup.forEach(run)) !== undefined) return { status: "unusable" };
    const refusal = refusalOf(() => run(statement));
    if (refusal !== undefined) return { status: "refused", by: "database", refusal };
    const unread = this.unreadBy(this.side, statement.table);
    return unread === undefined ? { status: "accepted" } : { status: "refused", by: "reader", refusal: unread };
  }

  private rolledBack<Result>(work: () => Result): Result {
    this.preparedFor("BEGIN").run();
    try {
      return work();
    } finally {
      if (this.database.inTransaction) this.preparedFor("ROLLBACK").run();
    }
  }

  /** With all the guards, preparing takes longer than running. */
  private run(statement: Statement): void {
    this.preparedFor(preparedSql(statement)).run(...parametersOf(statement));
  }

  private preparedFor(sql: string): Database.Statement {
    const prepared = this.prepared.get(sql) ?? this.database.prepare(sql);
    this.prepared.set(sql, prepared);
    return prepared;
  }

  private unreadBy(side: StoreSide, table: string): string | undefined {
    const shape = side.shapes.get(table);
    if (shape === undefined || !this.side.shapes.has(table)) return undefined;
    for (const row of this.preparedFor(`SELECT * FROM ${identifier(table)}`).all()) {
      const decoded = decodeRow(shape, row);
      if (!decoded.ok) return decoded.violations[0]?.message ?? "The row breaks a rule.";
    }
    return undefined;
  }
}

/** The layout that a side says its stores have. */
function schemaIdOf({ sources }: StoreSide): unknown {
  const table = sources.tables.find(({ name }) => name === "schema_info");
  return table?.columns.find(({ name }) => name === "schema_id")?.value.constant;
}

function refusalOf(work: () => void): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return firstSentence(error instanceof Error ? error.message : String(error));
  }
}

function firstSentence(message: string): string {
  return message.split(/(?<=\.)\s/)[0]?.replace(/\.$/, "") ?? message;
}
