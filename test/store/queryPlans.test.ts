import type { Database } from "better-sqlite3";
import { beforeAll, describe, expect, it } from "vitest";
import { StoreConnection } from "../../src/store/database/connection.ts";
import { openDatabase } from "../../src/store/database/openDatabase.ts";
import { TURN_INTENT_STATES } from "../../src/store/intents/listTurnIntents.ts";
import { type StoreParts, storeParts } from "../../src/store/storeParts.ts";
import { draft, storeWorld } from "./helpers/storeWorld.ts";

/** Every statement that the store prepares, as it prepares them. */
function recordedStatements(database: Database): readonly string[] {
  const sources: string[] = [];
  const prepare = database.prepare.bind(database);
  database.prepare = ((sql: string) => {
    sources.push(sql);
    return prepare(sql);
  }) as Database["prepare"];
  const parts = storeParts(
    new StoreConnection(database, { path: "", busyTimeoutMs: 0, now: () => 0 }),
    () => undefined,
  );
  askForEveryListing(parts);
  database.prepare = prepare as Database["prepare"];
  return sources;
}

/** Listings are prepared when they are first asked for. */
function askForEveryListing({ listing, runs }: StoreParts): void {
  const sessions = [{}, { targetSessionId: "session-1" }];
  const ofRuns = [{}, { runId: "run-1" }];
  const states = [{}, ...TURN_INTENT_STATES.map((state) => ({ state }))];
  for (const session of sessions) {
    for (const run of ofRuns) for (const state of states) listing.list({ ...session, ...run, ...state, limit: 1 });
  }
  runs.list({ limit: 1 });
  runs.list({ originSessionId: "session-1", statuses: ["done"], limit: 1 });
}

function planOf(database: Database, sql: string): readonly string[] {
  const names = [...new Set(sql.match(/:[A-Za-z_]+/g) ?? [])].map((name) => [name.slice(1), null]);
  const rows = database
    .prepare<[object], { readonly detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
    .all(Object.fromEntries(names));
  return rows.map(({ detail }) => detail);
}

/** Runs are listed backwards from the newest: their table is older than this package and gets no index from it. */
const READS_FROM_THE_END = /FROM workflow_run_queue .*ORDER BY rowid DESC$/s;

describe("every statement of a filled store", () => {
  let database: Database;
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
    ({ database } = openDatabase({ path, readonly: false, busyTimeoutMs: 200 }));
    statements = recordedStatements(database);
    return () => database.close();
  });

  const offences = (): readonly string[] =>
    statements
      .filter((sql) => !READS_FROM_THE_END.test(sql))
      .flatMap((sql) => planOf(database, sql).map((step) => `${step} IN ${sql}`))
      .filter((step) => /^SCAN|TEMP B-TREE/.test(step));

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
      "(rowid) > (:after_rowid) ORDER BY rowid",
      "resolved_at IS NOT NULL AND (rowid) > (:after_rowid) ORDER BY rowid",
    ]);
  });

  it("sorts no run it lists", () => {
    const listings = statements.filter((sql) => READS_FROM_THE_END.test(sql));
    expect(listings).toHaveLength(2);
    for (const sql of listings) expect(planOf(database, sql)).toEqual(["SCAN workflow_run_queue"]);
  });
});
