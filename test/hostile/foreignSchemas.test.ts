import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { INDEXES, TABLES, TRIGGERS, VIEWS } from "../../generated/ddl.ts";
import type { ControllerStore } from "../../src/store/controllerStore.ts";
import { designOf } from "../../src/store/database/storeDesign.ts";
import { checkComplete } from "../../src/store/database/storeLayout.ts";
import { openControllerStore } from "../../src/store/openControllerStore.ts";
import { BARE_TABLE, FOREIGN_TABLE, insertIntent, SCHEMA_INFO } from "../store/helpers/bareStore.ts";
import { draft, errorOf, runClaim, storeWorld } from "../store/helpers/storeWorld.ts";
import { folderView } from "./support/folderView.ts";
import { newPath, withStore } from "./support/stores.ts";

const RUNS = `CREATE TABLE workflow_run_queue (run_id TEXT PRIMARY KEY, workflow_ref TEXT, workflow_path TEXT,
  workflow_source_json TEXT, definition_digest TEXT, input_json TEXT, launch_options_json TEXT, status TEXT, runner_id TEXT,
  claim_token TEXT, claim_expires_at INTEGER, affinity_runner_id TEXT, origin_session_id TEXT, parent_run_id TEXT,
  error_code TEXT, error_message TEXT, created_at TEXT, updated_at TEXT, started_at TEXT, finished_at TEXT)`;

/** A database in the mode in which stores are kept, as its program left it when it closed it. */
function databaseWith(sql: string, mode: "wal" | "delete"): string {
  const path = newPath();
  const database = new Database(path);
  database.pragma(`journal_mode = ${mode}`);
  database.exec(sql);
  database.close();
  return path;
}

const FOREIGN: readonly (readonly [what: string, sql: string, why: RegExp])[] = [
  ["a newer schema", SCHEMA_INFO.replace(".v1", ".v2"), /controller-store\.v2/],
  ["two schema ids", `${schemaInfoOf("'a'), (2, 'b'")}`, /"a" and "b"/],
  ["a schema id that is no text", schemaInfoOf("x'00ff'"), /schema id/],
  ["another program's tables", "CREATE TABLE bookmarks (url TEXT)", /bookmarks/],
  ["another program's tables beside our names", `CREATE TABLE cookies (a); ${BARE_TABLE}`, /cookies/],
  ["a view of our name", `${SCHEMA_INFO} CREATE VIEW workflow_run_queue AS SELECT 1 AS run_id`, /is a view/],
  ["intents without rowid", SCHEMA_INFO + BARE_TABLE.replace(");", ") WITHOUT ROWID;"), /no rowid/],
  ["runs without rowid", `${SCHEMA_INFO} ${RUNS} WITHOUT ROWID`, /workflow_run_queue has no rowid/],
  ["a virtual table of our name", `${SCHEMA_INFO} CREATE VIRTUAL TABLE run_events USING fts5(body)`, /run_events/],
  ["a column that must be filled", SCHEMA_INFO + BARE_TABLE.replace("INTEGER)", "INTEGER, by TEXT NOT NULL)"), /by/],
];

function schemaInfoOf(values: string): string {
  return `CREATE TABLE schema_info (singleton INTEGER PRIMARY KEY, schema_id TEXT); INSERT INTO schema_info VALUES (1, ${values});`;
}

describe.each(["wal", "delete"] as const)("a database in %s mode", (mode) => {
  it.each(FOREIGN)("with %s is refused, and nothing in its folder changes", (_what, sql, why) => {
    const path = databaseWith(sql, mode);
    const before = folderView(dirname(path));
    for (const attempt of ["first", "second"]) {
      const { code, message } = errorOf(() => openControllerStore({ path }));
      expect([attempt, code, message]).toEqual([attempt, "INCOMPATIBLE_STORE", expect.stringMatching(why)]);
      expect(message).toContain("move");
    }
    expect(folderView(dirname(path))).toEqual(before);
  });

  it("that says whose it is in its header, but has our tables, is a store", () => {
    const path = databaseWith(`${SCHEMA_INFO} PRAGMA application_id = 7; PRAGMA user_version = 9;`, mode);
    expect(withStore(path, (store) => store.ensureWorkflowTurnIntent(draft()).outcome)).toBe("created");
    const database = new Database(path);
    expect([database.pragma("application_id"), database.pragma("user_version")]).toEqual([
      [{ application_id: 7 }],
      [{ user_version: 9 }],
    ]);
    database.close();
  });

  it("with further columns that may be empty, tables and triggers of others is a store, and keeps them", () => {
    const foreign =
      "CREATE TABLE seen (id TEXT); CREATE TRIGGER theirs AFTER INSERT ON workflow_turn_intents BEGIN INSERT INTO seen VALUES (NEW.intent_id); END;";
    const table = BARE_TABLE.replace("INTEGER)", "INTEGER, note TEXT DEFAULT 'none')");
    const path = databaseWith(SCHEMA_INFO + FOREIGN_TABLE + table + foreign, mode);
    withStore(path, (store) => store.ensureWorkflowTurnIntent(draft()));
    const database = new Database(path);
    expect(database.prepare("SELECT id FROM seen").pluck().all()).toEqual([draft().intentId]);
    expect(database.prepare("SELECT note FROM workflow_turn_intents").pluck().all()).toEqual(["none"]);
    database.close();
  });
});

describe("a trigger of another program", () => {
  it.each([
    [
      "that refuses our rows is named in the error",
      "SELECT RAISE(ABORT, 'not on Sundays')",
      "CONTRACT_VIOLATION",
      /Sundays/,
    ],
    ["that breaks is named in the error", "INSERT INTO nowhere VALUES (1)", "STORE_FAILED", /nowhere/],
  ])("%s", (_what, body, code, why) => {
    const path = databaseWith(
      `${SCHEMA_INFO}${BARE_TABLE} CREATE TRIGGER theirs BEFORE INSERT ON workflow_turn_intents BEGIN ${body}; END;`,
      "wal",
    );
    const error = errorOf(() => withStore(path, (store) => store.ensureWorkflowTurnIntent(draft())));
    expect([error.code, error.message]).toEqual([code, expect.stringMatching(why)]);
  });

  it.each<readonly [string, (store: ControllerStore) => unknown]>([
    ["UPDATE", (store) => store.claimWorkflowTurnIntentForRun(runClaim("a", 1000))],
    ["INSERT", (store) => store.ensureWorkflowTurnIntent(draft({ runId: "run-2" }))],
  ])("that keeps our %s away is reported with what to do", (kind, change) => {
    const path = databaseWith(
      `${SCHEMA_INFO}${BARE_TABLE}${insertIntent(draft())} CREATE TRIGGER theirs BEFORE ${kind} ON workflow_turn_intents BEGIN SELECT RAISE(IGNORE); END;`,
      "wal",
    );
    const { code, message } = errorOf(() => withStore(path, change));
    expect([code, message]).toEqual(["STORE_FAILED", expect.stringContaining("trigger")]);
  });
});

describe("a store of another version that is opened to be read", () => {
  it("works without the indexes and guards that only opening it to write adds", () => {
    const path = newPath();
    withStore(path, (store) => store.ensureWorkflowTurnIntent({ ...draft(), eligible: true }));
    const database = new Database(path);
    const parts = database
      .prepare<[], { type: string; name: string }>(
        "SELECT type, name FROM sqlite_schema WHERE type IN ('index', 'trigger') AND sql IS NOT NULL",
      )
      .all();
    for (const { type, name } of parts) database.exec(`DROP ${type} "${name}"`);
    database.close();
    expect(parts.length).toBeGreaterThan(10);
    for (const state of ["pending", "eligible", "claimed"] as const) {
      const list = withStore(path, (store) => store.listWorkflowTurnIntents({ state, limit: 10 }), true);
      expect(list.intents).toHaveLength(state === "claimed" ? 0 : 1);
    }
  });

  it("is refused by name for a column that opening it to write would add", () => {
    const tables = TABLES.map((table) =>
      table.name === "workflow_turn_intents" ? { ...table, sql: table.sql.replace(/\n\)$/, ', "note" TEXT)') } : table,
    );
    const later = designOf({ tables, indexes: INDEXES, triggers: TRIGGERS, views: VIEWS });
    const { path } = storeWorld();
    const database = new Database(path, { readonly: true });
    const { code, message } = errorOf(() => checkComplete(database, path, later));
    database.close();
    expect([code, message]).toEqual(["INCOMPATIBLE_STORE", expect.stringContaining("column note")]);
    expect(message).toContain("opening it once to write");
  });
});

describe("what is no database", () => {
  it.each([
    ["a text", "This is no database. ".repeat(500)],
    ["a short text", "xy"],
    ["the beginning of a database", "SQLite format 3\0"],
    ["zeros", "\0".repeat(8192)],
  ])("%s is refused, and nothing in its folder changes", (_what, content) => {
    const path = newPath();
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
    const before = folderView(dirname(path));
    expect(errorOf(() => openControllerStore({ path })).code).toBe("INCOMPATIBLE_STORE");
    expect(folderView(dirname(path))).toEqual(before);
  });
});
