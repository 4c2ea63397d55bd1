import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll } from "vitest";
import { TABLES } from "../../../generated/ddl.ts";

export const DDL = readFileSync(new URL("../../../generated/ddl.sql", import.meta.url), "utf8");

/** One way to run SQL on a database file: the library that the store uses, or the command that a person types. */
export interface Engine {
  readonly name: string;
  /** Runs a script up to its first error, and returns that error's text; undefined when there was none. */
  attempt(file: string, script: string): string | undefined;
}

const library: Engine = {
  name: "better-sqlite3",
  attempt(file, script) {
    const database = new Database(file);
    try {
      database.exec(script);
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    } finally {
      database.close();
    }
  },
};

const command: Engine = {
  name: "the sqlite3 command",
  attempt(file, script) {
    const { status, stderr } = spawnSync("sqlite3", ["-bail", file], { input: script, encoding: "utf8" });
    return status === 0 ? undefined : stderr.trim();
  },
};

/** Whether a program can be started; where it cannot, one line says what is left out. */
export function isInstalled(program: string): boolean {
  if (spawnSync(program, ["--version"]).error === undefined) return true;
  process.stderr.write(`${program} is not installed: the tests that need it are skipped.\n`);
  return false;
}

export const ENGINES: readonly Engine[] = isInstalled("sqlite3") ? [library, command] : [library];

const folder = mkdtempSync(join(tmpdir(), "deferred-turns-guards-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;

/** A store in a file of its own, and what an engine makes of SQL on it. */
export class GuardedStore {
  readonly file: string;
  private readonly engine: Engine;

  constructor(engine: Engine, script = "") {
    this.engine = engine;
    files += 1;
    this.file = join(folder, `${files}.sqlite`);
    this.must(DDL + script);
  }

  /** A store whose rows are older than the guards. */
  static withOlderRows(engine: Engine, script: string): GuardedStore {
    const store = new GuardedStore(engine);
    const bare = TABLES.find(({ name }) => name === "workflow_turn_intents")?.sql ?? "";
    store.must(`DROP TABLE workflow_turn_intents; ${bare}; ${script} ${DDL}`);
    return store;
  }

  /** The sentence that refuses the statement; undefined when the database takes it. */
  refusal(script: string): string | undefined {
    return this.engine.attempt(this.file, script);
  }

  must(script: string): void {
    const refusal = this.refusal(script);
    if (refusal !== undefined) throw new Error(refusal);
  }

  rows(): readonly Record<string, unknown>[] {
    const database = new Database(this.file, { readonly: true });
    try {
      return database.prepare<[], Record<string, unknown>>("SELECT * FROM workflow_turn_intents ORDER BY rowid").all();
    } finally {
      database.close();
    }
  }
}
