import Database from "better-sqlite3";
import { beforeAll, describe, expect, it } from "vitest";
import { WORKFLOW_RUN_STATUSES } from "../../generated/records.ts";
import type { ControllerStore } from "../../src/store/controllerStore.ts";
import { StoreConnection } from "../../src/store/database/connection.ts";
import { TURN_INTENT_STATES } from "../../src/store/intents/listTurnIntents.ts";
import { openControllerStore } from "../../src/store/openControllerStore.ts";
import { draft, storeWorld } from "./helpers/storeWorld.ts";

/** Every statement that is prepared while something is done, or that a store keeps to prepare it later. */
function statementsOf(work: () => void): readonly string[] {
  const sources = new Set<string>();
  const restore = [Database.prototype, StoreConnection.prototype].map((prototype) =>
    recordStatements(prototype, sources),
  );
  try {
    work();
  } finally {
    for (const each of restore) each();
  }
  return [...sources];
}

/** Lets `prepare` note what it is given. Returns what ends that. */
function recordStatements(prototype: { prepare(sql: string): unknown }, sources: Set<string>): () => void {
  const { prepare } = prototype;
  prototype.prepare = function (this: unknown, sql: string) {
    sources.add(sql);
    return prepare.call(this, sql);
  };
  return () => {
    prototype.prepare = prepare;
  };
}

/** What an opening asks, the statements of all operations, which the opening names, and those of every listing. */
function allStatements(path: string): readonly string[] {
  return statementsOf(() => {
    const store = openControllerStore({ path });
    askForEveryListing(store);
    store.close();
  });
}

function askForEveryListing(store: ControllerStore): void {
  const sessions = [{}, { targetSessionId: "session-1" }];
  const ofRuns = [{}, { runId: "run-1" }];
  const states = [{}, ...TURN_INTENT_STATES.map((state) => ({ state }))];
  for (const session of sessions) {
    for (const run of ofRuns) {
      for (const state of states) store.listWorkflowTurnIntents({ ...session, ...run, ...state, limit: 1 });
    }
  }
  for (const session of [{}, { originSessionId: "session-1" }]) {
    store.listWorkflowRuns({ ...session, limit: 1 });
    store.listWorkflowRuns({ ...session, statuses: WORKFLOW_RUN_STATUSES, limit: 1 });
  }
}

function planOf(database: Database.Database, sql: string): readonly string[] {
  const names = [...new Set(sql.match(/:[A-Za-z_]+/g) ?? [])].map((name) => [name.slice(1), null]);
  const places = Array.from(sql.matchAll(/\?/g), () => null);
  const parameters = names.length > 0 ? [Object.fromEntries(names)] : places;
  const rows = database.prepare<unknown[], { readonly detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters);
  return rows.map(({ detail }) => detail);
}

/** Runs are listed backwards from the newest: their table is older than this package and gets no index from it. */
const READS_FROM_THE_END = /FROM workflow_run_queue .*ORDER BY rowid DESC$/s;

/** What an opening alone asks, where there is no index that could help. */
const ASKED_AT_AN_OPENING = [
  // SQLite keeps its own catalogue without an index.
  /FROM (sqlite_schema|pragma_table_list|pragma_table_info)\b/,
  // A table of one row.
  /FROM schema_info LIMIT 2$/,
  // A table of another program, which gave it no index for this.
  /^SELECT count\(\*\) FROM workflow_notifications WHERE kind = 'launch_failure' AND delivered_at IS NULL$/,
];

describe("every statement of a filled store", () => {
  let database: Database.Database;
  let statements: readonly string[];

  beforeAll(() => {
    const { store, path } = storeWorld();
    store.transaction(() => {
      for (let n = 0; n < 500; n += 1) {
        const source = { runId: `run-${n % 100}`, targetSessionId: `session-${n % 7}`, attemptId: `attempt-${n}` };
        store.ensureWorkflowTurnIntent({ ...draft(source), eligible: n % 2 === 0 });
        const claim = store.claimWorkflowTurnIntentForRun({ ...source, claimToken: "a", leaseMs: 1000 });
        if (claim.status !== "claimed" || n % 10 === 0) continue;
        const { intentId } = claim.intent;
        store.resolveWorkflowTurnIntent({ intentId, claimToken: "a", resolution: "fallback", messageId: "m" });
      }
    });
    statements = allStatements(path);
    database = new Database(path);
    return () => database.close();
  });

  const offences = (): readonly string[] =>
    statements
      .filter((sql) => ![READS_FROM_THE_END, ...ASKED_AT_AN_OPENING].some((known) => known.test(sql)))
      .flatMap((sql) => planOf(database, sql).map((step) => `${step} IN ${sql}`))
      // A constant row is that of the values in an INSERT … SELECT.
      .filter((step) => /^SCAN (?!CONSTANT ROW)|TEMP B-TREE/.test(step));

  it("finds its rows by an index, in their order", () => {
    expect(statements.length).toBeGreaterThan(40);
    expect(offences()).toEqual([]);
  });

  it("does so when another program has gathered statistics, too", () => {
    database.exec("ANALYZE");
    expect(offences()).toEqual([]);
  });

  it("walks the table only where everything is wanted, or what is resolved", () => {
    const walks = statements.filter((sql) =>
      planOf(database, sql).some((step) => step.includes("INTEGER PRIMARY KEY") && !step.includes("(rowid=?)")),
    );
    expect(walks.map((sql) => sql.replace(/^.* WHERE /s, ""))).toEqual([
      "(rowid) > (+:after_rowid) ORDER BY rowid",
      "resolved_at IS NOT NULL AND (rowid) > (+:after_rowid) ORDER BY rowid",
    ]);
  });

  it("is planned once, not at every call: SQLite looks at the value of a bare parameter to plan an order", () => {
    const ordered = statements.filter((sql) => sql.includes("ORDER BY"));
    expect(ordered.length).toBeGreaterThan(20);
    expect(ordered.filter((sql) => /(?<!\+):/.test(sql))).toEqual([]);
  });

  it("finds what is not resolved without a walk through the history of a run or session", () => {
    const unresolved = statements.filter((sql) => /^SELECT rowid, .*resolved_at IS NULL/s.test(sql));
    const plans = unresolved.flatMap((sql) => planOf(database, sql));
    expect(plans.length).toBe(12);
    expect(plans.filter((step) => !/_one_pending_run|_eligible /.test(step))).toEqual([]);
  });

  it("sorts no run it lists", () => {
    const listings = statements.filter((sql) => READS_FROM_THE_END.test(sql));
    expect(listings).toHaveLength(4);
    for (const sql of listings) expect(planOf(database, sql)).toEqual(["SCAN workflow_run_queue"]);
  });
});
