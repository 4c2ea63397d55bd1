import { cpSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { openControllerStore } from "../../src/store/openControllerStore.ts";
import { BARE_TABLE, FOREIGN_TABLE, insertIntent, NOTIFICATIONS, SCHEMA_INFO, sqlite3 } from "./helpers/bareStore.ts";
import { Child } from "./helpers/child.ts";
import { draft, errorOf, plainConnection, storeWorld, temporaryFolder } from "./helpers/storeWorld.ts";

const newPath = (): string => join(temporaryFolder(), "controller.sqlite");

function storeWith(sql: string): string {
  const path = newPath();
  sqlite3(path, sql);
  return path;
}

const LAUNCH_FAILURE = `INSERT INTO workflow_notifications VALUES
  ('n-1', 'run-1', 'step', 'attempt-1', 1, 'session-1', 'launch_failure', 'it broke', '2026-08-01T00:00:00.000Z', NULL, NULL, NULL);`;

describe("a new store", () => {
  it("is made for its owner alone, with the folders it needs", () => {
    const path = join(temporaryFolder(), "projects", "abc", "controller.sqlite");
    storeWorld(path);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
    expect(statSync(dirname(dirname(path))).mode & 0o777).toBe(0o700);
  });

  it("uses write-ahead logging and names its layout", () => {
    const { path } = storeWorld();
    const database = plainConnection(path);
    expect(database.pragma("journal_mode", { simple: true })).toBe("wal");
    expect(database.prepare("SELECT * FROM schema_info").all()).toEqual([
      { singleton: 1, schema_id: "pi-workflows.controller-store.v1" },
    ]);
  });

  it("leaves an existing folder as it is", () => {
    const folder = join(temporaryFolder(), "open");
    mkdirSync(folder, { mode: 0o755 });
    storeWorld(join(folder, "controller.sqlite"));
    expect(statSync(folder).mode & 0o777).toBe(0o755);
  });

  it("can be created by several processes at once", async () => {
    const path = newPath();
    const children = Array.from({ length: 4 }, () => new Child("./createStore.ts", path));
    for (const child of children) await child.says("ready");
    for (const child of children) child.tell("go");
    for (const child of children) expect(await child.ends()).toContain("opened");
    expect(sqlite3(path, "SELECT count(*) FROM schema_info")).toBe("1");
  });

  it("is not made of a path that names no file", () => {
    for (const path of ["", ":memory:"])
      expect(errorOf(() => openControllerStore({ path })).code).toBe("INVALID_ARGUMENT");
  });

  it("says what keeps its file from being made", () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "file"), "");
    const { code, message } = errorOf(() => openControllerStore({ path: join(folder, "file", "controller.sqlite") }));
    expect(code).toBe("STORE_FAILED");
    expect(message).toMatch(/ENOTDIR|EEXIST/);
    expect(errorOf(() => openControllerStore({ path: folder })).code).toBe("STORE_FAILED");
  });
});

describe("a file that is refused", () => {
  const layout = (change: (table: string) => string): string => SCHEMA_INFO + change(BARE_TABLE);
  const refused: readonly (readonly [what: string, sql: string, code: string, why: RegExp])[] = [
    [
      "another schema id",
      "CREATE TABLE schema_info (singleton INTEGER PRIMARY KEY, schema_id TEXT NOT NULL); INSERT INTO schema_info VALUES (1, 'pi-workflows.controller-store.v2');",
      "INCOMPATIBLE_STORE",
      /controller-store\.v2/,
    ],
    [
      "no schema id",
      "CREATE TABLE schema_info (singleton INTEGER PRIMARY KEY, schema_id TEXT NOT NULL);",
      "INCOMPATIBLE_STORE",
      /names no schema id/,
    ],
    ["another program's database", "CREATE TABLE bookmarks (url TEXT);", "INCOMPATIBLE_STORE", /bookmarks/],
    [
      "a missing column",
      layout((table) => table.replace("eligible_at TEXT,", "")),
      "INCOMPATIBLE_STORE",
      /no column eligible_at/,
    ],
    [
      "a column of another type",
      layout((table) => table.replace("run_id TEXT", "run_id INTEGER")),
      "INCOMPATIBLE_STORE",
      /run_id of type INTEGER/,
    ],
    [
      "a column that must not be null",
      layout((table) => table.replace("eligible_at TEXT", "eligible_at TEXT NOT NULL")),
      "INCOMPATIBLE_STORE",
      /null in column eligible_at/,
    ],
    [
      "another primary key",
      layout((table) => table.replace("intent_id TEXT PRIMARY KEY", "intent_id TEXT")),
      "INCOMPATIBLE_STORE",
      /primary key/,
    ],
    [
      "a further column that must be filled",
      layout((table) => table.replace("INTEGER);", "INTEGER, owner TEXT NOT NULL);")),
      "INCOMPATIBLE_STORE",
      /owner/,
    ],
    [
      "a table without rowid",
      layout((table) => table.replace("INTEGER);", "INTEGER) WITHOUT ROWID;")),
      "INCOMPATIBLE_STORE",
      /rowid/,
    ],
    ["a view", `${SCHEMA_INFO} CREATE VIEW run_events AS SELECT 1 AS seq;`, "INCOMPATIBLE_STORE", /view/],
    [
      "an undelivered launch failure",
      SCHEMA_INFO + NOTIFICATIONS + LAUNCH_FAILURE,
      "LEGACY_LAUNCH_FAILURES",
      /launch_failure/,
    ],
  ];

  it.each(refused)(
    "for %s stays byte for byte as it was, and the error says how to start anew",
    (_what, sql, code, why) => {
      const path = storeWith(sql);
      const before = readFileSync(path);
      const error = errorOf(() => openControllerStore({ path }));
      expect(error.code).toBe(code);
      expect(error.message).toMatch(why);
      expect(error.message).toContain(`move ${path} away`);
      expect(readFileSync(path).equals(before)).toBe(true);
    },
  );

  it("keeps what stands in its write-ahead log, which is looked at too", () => {
    const folder = temporaryFolder();
    const source = join(folder, "source.sqlite");
    const database = plainConnection(source);
    database.pragma("journal_mode = WAL");
    database.exec(SCHEMA_INFO + NOTIFICATIONS + LAUNCH_FAILURE);
    const path = join(folder, "controller.sqlite");
    for (const ending of ["", "-wal"]) cpSync(source + ending, path + ending);
    const before = [readFileSync(path), readFileSync(`${path}-wal`)];
    expect(errorOf(() => openControllerStore({ path })).code).toBe("LEGACY_LAUNCH_FAILURES");
    expect([readFileSync(path), readFileSync(`${path}-wal`)]).toEqual(before);
  });

  it("may be garbage", () => {
    const path = newPath();
    writeFileSync(path, "This is no database, and long enough to be one. ".repeat(100));
    const before = readFileSync(path);
    const error = errorOf(() => openControllerStore({ path }));
    expect(error.code).toBe("INCOMPATIBLE_STORE");
    expect(error.message).toContain("not a SQLite database");
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it("may be cut short", () => {
    const { path, store } = storeWorld();
    store.close();
    writeFileSync(path, readFileSync(path).subarray(0, 6000));
    const error = errorOf(() => openControllerStore({ path }));
    expect(error.code).toBe("STORE_FAILED");
    expect(error.message).toContain("damaged");
    expect(readFileSync(path)).toHaveLength(6000);
  });
});

describe("an existing store", () => {
  const intent = draft();
  const bare = (extra = ""): string =>
    storeWith(SCHEMA_INFO + FOREIGN_TABLE + BARE_TABLE + extra + insertIntent(intent));
  const oneRunIndex = (unique: string): string =>
    `CREATE ${unique} INDEX workflow_turn_intents_one_pending_run ON workflow_turn_intents (run_id, target_session_id) WHERE resolved_at IS NULL;`;

  it.each([
    ["without an index", ""],
    ["with the unique index of unresolved rows", oneRunIndex("UNIQUE")],
    ["with a plain index of that name", oneRunIndex("")],
    [
      "with a guard of an older version",
      "CREATE TRIGGER workflow_turn_intents_guard_delete BEFORE DELETE ON workflow_turn_intents BEGIN SELECT 1; END;",
    ],
    [
      "with a guard that this version dropped",
      "CREATE TRIGGER workflow_turn_intents_guard_old BEFORE UPDATE ON workflow_turn_intents BEGIN SELECT RAISE(ABORT, 'old'); END;",
    ],
  ])("of sixteen bare columns, %s, gets the layout of a new one and keeps its rows", (_what, extra) => {
    const path = bare(extra);
    const { store } = storeWorld(path);
    expect(store.getWorkflowTurnIntent(intent.intentId)).toMatchObject({ ...intent, eligibleAt: null });
    expect(partsOf(path)).toEqual(partsOf(storeWorld().path));
  });

  it("keeps the tables of other programs and what they hang on their own", () => {
    const path = bare(
      "CREATE TRIGGER resources_t AFTER INSERT ON resources BEGIN SELECT 1; END; CREATE TRIGGER mine AFTER INSERT ON workflow_turn_intents BEGIN SELECT 1; END;",
    );
    storeWorld(path);
    expect(sqlite3(path, "SELECT * FROM resources")).toBe("a|b");
    expect(sqlite3(path, "SELECT name FROM sqlite_schema WHERE name IN ('resources_t', 'mine') ORDER BY name")).toBe(
      "mine\nresources_t",
    );
  });

  it("keeps the shared tables of an older program without adding an index to them", () => {
    const path = storeWith(SCHEMA_INFO + NOTIFICATIONS);
    storeWorld(path);
    expect(
      sqlite3(path, "SELECT name FROM sqlite_schema WHERE tbl_name = 'workflow_notifications' AND sql IS NOT NULL"),
    ).toBe("workflow_notifications");
  });

  it("may lack its schema row when it holds no table but ours", () => {
    const path = storeWith(BARE_TABLE + insertIntent(intent));
    expect(storeWorld(path).store.getWorkflowTurnIntent(intent.intentId)).toBeDefined();
    expect(sqlite3(path, "SELECT schema_id FROM schema_info")).toBe("pi-workflows.controller-store.v1");
  });

  it("may hold launch failures that were delivered", () => {
    const path = storeWith(
      SCHEMA_INFO + NOTIFICATIONS + LAUNCH_FAILURE.replace("NULL);", "'2026-08-01T00:00:01.000Z');"),
    );
    expect(() => storeWorld(path)).not.toThrow();
  });

  it("that is complete is not written to", () => {
    const { path, store } = storeWorld();
    store.close();
    const before = readFileSync(path);
    const changes = plainConnection(path);
    const version = (): unknown => changes.pragma("data_version", { simple: true });
    const first = version();
    openControllerStore({ path }).close();
    expect(version()).toBe(first);
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it("that is complete can be opened while another process holds the write lock", async () => {
    const { path, store } = storeWorld();
    store.close();
    const holder = new Child("./holdWriteLock.ts", path);
    await holder.says("locked");
    const opened = openControllerStore({ path, busyTimeoutMs: 50 });
    expect(opened.listWorkflowTurnIntents({ limit: 1 }).intents).toEqual([]);
    opened.close();
  });

  it("that another program writes to just now is waited for, though SQLite would not wait to change its log", async () => {
    const path = bare();
    const holder = new Child("./holdWriteLock.ts", path, "300");
    await holder.says("locked");
    expect(errorOf(() => openControllerStore({ path, busyTimeoutMs: 20 })).code).toBe("STORE_BUSY");
    holder.tell("free it in a while");
    openControllerStore({ path, busyTimeoutMs: 20_000 }).close();
  });

  it("whose last writer died in the middle of a transaction is rolled back, then joined", () => {
    const folder = temporaryFolder();
    const source = join(folder, "source.sqlite");
    const writer = new Database(source);
    writer.exec(SCHEMA_INFO + BARE_TABLE + insertIntent(intent));
    writer.pragma("cache_size = 1");
    writer.exec(
      "BEGIN IMMEDIATE; CREATE TABLE filler (x); WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 500) INSERT INTO filler SELECT randomblob(1000) FROM c; DELETE FROM workflow_turn_intents",
    );
    const path = join(folder, "controller.sqlite");
    for (const ending of ["", "-journal"]) cpSync(source + ending, path + ending);
    writer.exec("ROLLBACK");
    writer.close();
    expect(storeWorld(path).store.getWorkflowTurnIntent(intent.intentId)).toBeDefined();
  });
});

describe("a store with two unresolved rows for one run and session", () => {
  const [older, newer] = [draft(), draft({ attemptId: "attempt-2" })];
  const twice = (): string => storeWith(SCHEMA_INFO + BARE_TABLE + insertIntent(older) + insertIntent(newer));
  const isUnique = (path: string): string =>
    sqlite3(
      path,
      "SELECT \"unique\" FROM pragma_index_list('workflow_turn_intents') WHERE name = 'workflow_turn_intents_one_pending_run'",
    );

  it("is opened with a plain index and a diagnostic", () => {
    const path = twice();
    const { diagnostics } = storeWorld(path);
    expect(diagnostics).toMatchObject([{ code: "DUPLICATE_PENDING_INTENTS" }]);
    expect(isUnique(path)).toBe("0");
  });

  it("takes in no third one: the oldest absorbs it", () => {
    const { store } = storeWorld(twice());
    const { intent, outcome } = store.ensureWorkflowTurnIntent(draft({ attemptId: "attempt-3" }));
    expect([outcome, intent.intentId]).toEqual(["absorbed", older.intentId]);
  });

  it("resolves what a message was seen for, one row after the other, before it takes in a new one", () => {
    const { store } = storeWorld(twice());
    const { intent, outcome } = store.ensureWorkflowTurnIntent({
      ...draft({ attemptId: "attempt-3" }),
      findDelivered: (intentId) => ({ resolution: "fallback", messageId: `${intentId}:fallback` }),
    });
    expect([outcome, intent.attemptId]).toEqual(["created", "attempt-3"]);
    expect(store.listWorkflowTurnIntents({ state: "resolved", limit: 10 }).intents).toHaveLength(2);
  });

  it("is not written to at an opening that finds it unchanged", () => {
    const path = twice();
    openControllerStore({ path }).close();
    const before = readFileSync(path);
    openControllerStore({ path }).close();
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it("gets the unique index at the first opening after one was resolved", () => {
    const path = twice();
    const { store, open, diagnostics } = storeWorld(path);
    store.claimWorkflowTurnIntentForRun({
      runId: "run-1",
      targetSessionId: "session-1",
      claimToken: "t",
      leaseMs: 1000,
    });
    store.resolveWorkflowTurnIntent({
      intentId: older.intentId,
      claimToken: "t",
      resolution: "fallback",
      messageId: "m",
    });
    open();
    expect(isUnique(path)).toBe("1");
    expect(diagnostics).toHaveLength(1);
  });
});

describe("a store that is opened to be read", () => {
  it("answers questions and refuses changes", () => {
    const { store, open } = storeWorld();
    const { intent } = store.ensureWorkflowTurnIntent(draft());
    const reader = open({ readonly: true });
    expect(reader.getWorkflowTurnIntent(intent.intentId)).toEqual(intent);
    expect(errorOf(() => reader.makeWorkflowTurnIntentEligible({ intentId: intent.intentId })).code).toBe(
      "STORE_READONLY",
    );
    expect(errorOf(() => reader.ensureWorkflowTurnIntent(draft({ runId: "run-2" }))).code).toBe("STORE_READONLY");
  });

  it("is not created", () => {
    const path = newPath();
    expect(errorOf(() => openControllerStore({ path, readonly: true })).code).toBe("STORE_FAILED");
    expect(existsSync(path)).toBe(false);
  });

  it("is not joined", () => {
    const path = storeWith(SCHEMA_INFO);
    const before = readFileSync(path);
    const { code, message } = errorOf(() => openControllerStore({ path, readonly: true }));
    expect(code).toBe("INCOMPATIBLE_STORE");
    expect(message).toContain("workflow_turn_intents");
    expect(readFileSync(path).equals(before)).toBe(true);
  });
});

/** The indexes and triggers of the intents' table, as the database keeps them. */
function partsOf(path: string): string {
  return sqlite3(
    path,
    "SELECT type, name, sql FROM sqlite_schema WHERE tbl_name = 'workflow_turn_intents' AND type <> 'table' AND sql IS NOT NULL ORDER BY name",
  );
}
