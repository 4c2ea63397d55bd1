import { readFileSync } from "node:fs";
import Database from "better-sqlite3";
import { TURN_INTENT_CAUSES } from "../../../generated/contracts.ts";
import type { ContractCase, DatabaseCase } from "../../../src/conformance/corpus.ts";
import { insertSql } from "../../../src/conformance/rowSql.ts";
import { isKey } from "../../../src/contracts/keys.ts";
import { PUBLISHED } from "./corpus.ts";

export const DDL = readFileSync(PUBLISHED.ddl, "utf8");

const SETTINGS = "PRAGMA recursive_triggers = OFF; PRAGMA ignore_check_constraints = OFF;";

/** A database with the guards, which decides cases and keeps nothing of them. */
export class GuardedDatabase {
  readonly #ddl: string;
  readonly #database: Database.Database;

  constructor(ddl: string) {
    this.#ddl = ddl;
    this.#database = new Database(":memory:");
    this.#database.exec(ddl);
  }

  /** What the database says to the statement of a case; undefined when it accepts it. Throws where it refuses the setup. */
  refusal({ before, setup, sql }: Pick<DatabaseCase, "before" | "setup" | "sql">): string | undefined {
    if (before !== "") return this.#refusalBesideOlderRows(before, sql);
    this.#database.exec("BEGIN");
    try {
      this.#database.exec(setup);
      return refusalBy(() => this.#database.exec(sql));
    } finally {
      this.#database.exec(`ROLLBACK; ${SETTINGS}`);
    }
  }

  close(): void {
    this.#database.close();
  }

  #refusalBesideOlderRows(before: string, sql: string): string | undefined {
    const database = new Database(":memory:");
    try {
      database.exec(before + this.#ddl);
      return refusalBy(() => database.exec(sql));
    } finally {
      database.close();
    }
  }
}

let factsDatabase: Database.Database | undefined;

/** What the database says to a row that holds facts and repeats of them what can be repeated. */
export function refusalOfFacts({ input }: ContractCase): string | undefined {
  const bytes = "text" in input ? Buffer.from(input.text, "utf8") : Buffer.from(input.base64, "base64");
  const mirrored = mirroredColumns(bytes.toString("utf8"));
  const insert = insertSql(BASE, { columns: { ...mirrored, fallback_facts_json: { sql: "CAST(? AS TEXT)" } } });
  factsDatabase ??= new Database(":memory:").exec(DDL);
  factsDatabase.exec("BEGIN");
  try {
    const statement = factsDatabase.prepare(insert);
    return refusalBy(() => statement.run(bytes));
  } finally {
    factsDatabase.exec("ROLLBACK");
  }
}

const FACTS = { runId: "run-1", cause: "failed", nodeId: "draft", attemptId: "attempt-1" };
const BASE = {
  columns: {
    intent_id: `deferred-turn:${"0".repeat(64)}`,
    source_event_id: "event-1",
    run_id: FACTS.runId,
    workflow_ref: "release-notes",
    target_session_id: "session-1",
    cause: FACTS.cause,
    node_id: FACTS.nodeId,
    attempt_id: FACTS.attemptId,
    requested_at: "2026-08-21T08:17:31.000Z",
  },
  facts: FACTS,
};

/** The columns that facts repeat, where a row could hold what they say. */
function mirroredColumns(text: string): Readonly<Record<string, unknown>> {
  const facts = parsed(text);
  const columns = {
    run_id: facts["runId"],
    cause: facts["cause"],
    node_id: facts["nodeId"],
    attempt_id: facts["attemptId"],
  };
  return Object.fromEntries(Object.entries(columns).filter(([column, value]) => isStorable(column, value)));
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}

function isStorable(column: string, value: unknown): boolean {
  if (value === null) return column === "node_id" || column === "attempt_id";
  return column === "cause" ? TURN_INTENT_CAUSES.some((cause) => cause === value) : isKey(value);
}

function refusalBy(attempt: () => void): string | undefined {
  try {
    attempt();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
