import { spawnSync } from "node:child_process";
import Database from "better-sqlite3";
import { failure, type Opinion } from "./opinions.ts";

/** The columns of an intent's row that its facts repeat. */
export interface MirroredColumns {
  readonly run_id: string;
  readonly cause: string;
  readonly node_id: string | null;
  readonly attempt_id: string | null;
}

/** A row of `workflow_turn_intents`, as it is inserted. */
export type IntentRow = Readonly<Record<string, string | number | Buffer | null>>;

/** A pending row around facts, in which nothing else could be refused. */
export function rowAround(facts: string | Buffer, mirrored: MirroredColumns): IntentRow {
  return {
    intent_id: `deferred-turn:${"0".repeat(64)}`,
    source_event_id: "source-event",
    workflow_ref: "flow",
    target_session_id: "session-1",
    fallback_facts_json: facts,
    requested_at: "2026-08-21T08:17:31.000Z",
    eligible_at: null,
    resolved_at: null,
    resolution: null,
    resolution_message_id: null,
    delivery_claim_token: null,
    delivery_claim_expires_at: null,
    ...mirrored,
  };
}

const COLUMNS = Object.keys(rowAround("", { run_id: "", cause: "", node_id: null, attempt_id: null }));
const COLUMN_LIST = COLUMNS.join(", ");
/** Bytes that are no UTF-8 reach a TEXT column only through a cast. */
const VALUE_LIST = COLUMNS.map((name) => (name === "fallback_facts_json" ? `CAST(:${name} AS TEXT)` : `:${name}`)).join(
  ", ",
);

/** How a guard begins its refusal. */
const REFUSAL = /^workflow_turn_intents\b/;

/** A guarded table in memory, in the SQLite that the store is built on. Every row is taken back at once. */
export class GuardedDatabase {
  readonly #database: Database.Database;
  readonly #insert: Database.Statement<[IntentRow]>;
  readonly #read: Database.Statement<[], Record<string, unknown>>;
  readonly #text: Database.Statement<[Buffer], string>;
  readonly #begin: Database.Statement;
  readonly #undo: Database.Statement;
  readonly #end: Database.Statement;

  constructor(ddl: string) {
    this.#database = new Database(":memory:");
    this.#database.exec(ddl);
    this.#insert = this.#database.prepare(`INSERT INTO workflow_turn_intents (${COLUMN_LIST}) VALUES (${VALUE_LIST})`);
    this.#read = this.#database.prepare(`SELECT ${COLUMN_LIST} FROM workflow_turn_intents`);
    this.#text = this.#database.prepare<[Buffer], string>("SELECT CAST(? AS TEXT)").pluck();
    this.#begin = this.#database.prepare("SAVEPOINT document");
    this.#undo = this.#database.prepare("ROLLBACK TO document");
    this.#end = this.#database.prepare("RELEASE document");
    this.#database.exec("BEGIN");
  }

  /** What the guards say to a row. */
  opinion(row: IntentRow): Opinion {
    try {
      this.inserted(row);
      return "accepted";
    } catch (error) {
      return error instanceof Error && REFUSAL.test(error.message) ? "refused" : failure(error);
    }
  }

  /** What is read of a row after it was inserted. Throws what SQLite throws. */
  inserted(row: IntentRow): Record<string, unknown> | undefined {
    this.#begin.run();
    try {
      this.#insert.run(row);
      return this.#read.get();
    } finally {
      this.#undo.run();
      this.#end.run();
    }
  }

  /** The bytes as a reader gets them from a TEXT column. */
  textOf(bytes: Buffer): string {
    return this.#text.get(bytes) ?? "";
  }

  close(): void {
    this.#database.close();
  }
}

/** The sqlite3 command of the system, which is older than the library. */
export const SQLITE_COMMAND = "/usr/bin/sqlite3";

/** What the guards say to a row that is inserted with the sqlite3 command. */
export function commandOpinion(ddl: string, row: IntentRow): Opinion {
  const values = Object.values(row).map(sqlOf).join(", ");
  const input = `${ddl}\nINSERT INTO workflow_turn_intents (${Object.keys(row).join(", ")}) VALUES (${values});\n`;
  const { status, stderr } = spawnSync(SQLITE_COMMAND, ["-batch", "-bail", ":memory:"], { input, encoding: "utf8" });
  if (status === 0) return "accepted";
  return /workflow_turn_intents\b.* must /.test(stderr) ? "refused" : failure(stderr.trim());
}

function sqlOf(value: string | number | Buffer | null): string {
  if (value === null) return "NULL";
  if (typeof value === "number") return String(value);
  return `CAST(x'${Buffer.from(value).toString("hex")}' AS TEXT)`;
}
