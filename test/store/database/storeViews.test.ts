import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { VIEWS } from "../../../generated/ddl.ts";
import { BARE_TABLE, insertIntent, SCHEMA_INFO, sqlite3, text } from "../helpers/bareStore.ts";
import { afterTest, draft, plainConnection, runClaim, storeWorld, temporaryFolder } from "../helpers/storeWorld.ts";

const idsIn = (database: Database.Database, view: string): readonly unknown[] =>
  database.prepare(`SELECT intent_id FROM ${view}`).pluck().all();

const viewsIn = (database: Database.Database): readonly unknown[] =>
  database.prepare("SELECT sql FROM sqlite_schema WHERE type = 'view'").pluck().all();

const STORED = VIEWS.map(({ sql }) => sql.replace("IF NOT EXISTS ", ""));

describe("the views of a store", () => {
  it("show what is pending, what is eligible, and the claims that lapsed, with the facts as columns", () => {
    const { store, path, clock } = storeWorld();
    clock.advance(Date.now() - clock.now());
    const intents = ["pending", "eligible", "stuck", "resolved"].map((runId) =>
      store.ensureWorkflowTurnIntent({ ...draft({ runId }), eligible: runId !== "pending" }),
    );
    const [pending, eligible, stuck, resolved] = intents.map(({ intent }) => intent.intentId);
    store.claimWorkflowTurnIntentForRun({ ...runClaim("a"), runId: "eligible" });
    store.claimWorkflowTurnIntentForRun({ ...runClaim("b"), runId: "resolved" });
    store.resolveWorkflowTurnIntent({
      intentId: String(resolved),
      claimToken: "b",
      resolution: "fallback",
      messageId: "m",
    });
    const lapsed = { delivery_claim_token: "'c'", delivery_claim_expires_at: "1" };
    const set = Object.entries(lapsed).map(([column, value]) => `${column} = ${value}`);
    sqlite3(path, `UPDATE workflow_turn_intents SET ${set.join(", ")} WHERE intent_id = ${text(String(stuck))};`);

    const database = plainConnection(path);
    expect(idsIn(database, "pending_turn_intents").toSorted()).toEqual([pending, eligible, stuck].toSorted());
    expect(idsIn(database, "eligible_turn_intents").toSorted()).toEqual([eligible, stuck].toSorted());
    expect(idsIn(database, "stuck_turn_intent_claims")).toEqual([stuck]);
    expect(database.prepare("SELECT reason, handoff FROM pending_turn_intents LIMIT 1").get()).toEqual({
      reason: "the agent changed its mind",
      handoff: 0,
    });
  });

  it("find their rows by the index of what is not resolved, however long the history is", () => {
    const { path, store } = storeWorld();
    store.ensureWorkflowTurnIntent(draft());
    const database = plainConnection(path);
    const planOf = ({ name }: { readonly name: string }): readonly unknown[] =>
      database
        .prepare<[], { readonly detail: string }>(`EXPLAIN QUERY PLAN SELECT * FROM ${name}`)
        .all()
        .map(({ detail }) => detail);
    for (const analyze of ["SELECT 1", "ANALYZE"]) {
      database.exec(analyze);
      const plans = VIEWS.flatMap(planOf);
      expect(plans).toHaveLength(VIEWS.length);
      for (const plan of plans) expect(plan).toMatch(/USING INDEX workflow_turn_intents_(one_pending_run|eligible)/);
    }
  });

  it("cannot be written to", () => {
    const database = plainConnection(storeWorld().path);
    expect(() => database.exec("DELETE FROM pending_turn_intents")).toThrow("cannot modify");
  });

  it("hide no row because of another whose facts are no JSON", () => {
    const path = `${temporaryFolder()}/controller.sqlite`;
    const broken = insertIntent(draft({ runId: "broken" }), { fallback_facts_json: "x'00'" });
    const torn = insertIntent(draft({ runId: "torn" }), { fallback_facts_json: text("{") });
    sqlite3(path, SCHEMA_INFO + BARE_TABLE + broken + torn + insertIntent(draft()));
    storeWorld(path);
    const reasons = plainConnection(path).prepare("SELECT reason FROM pending_turn_intents").pluck().all();
    expect(reasons.toSorted()).toEqual([draft().fallbackFacts.reason, null, null].toSorted());
  });
});

describe("joining a store", () => {
  /** A store whose views another version made, opened once more. */
  function rejoined(sql: string): Database.Database {
    const { path, store, open } = storeWorld();
    store.close();
    sqlite3(path, sql);
    open().close();
    const database = new Database(path);
    afterTest(() => database.close());
    return database;
  }

  it.each([
    ["adds the views that are missing", "DROP VIEW pending_turn_intents;"],
    [
      "replaces views of another version",
      "DROP VIEW pending_turn_intents; CREATE VIEW pending_turn_intents AS SELECT 1;",
    ],
  ])("%s", (_what, sql) => {
    expect(viewsIn(rejoined(sql)).toSorted()).toEqual(STORED.toSorted());
  });

  it("leaves a table alone that has the name of a view, and writes nothing for its sake", () => {
    const sql = "DROP VIEW pending_turn_intents; CREATE TABLE pending_turn_intents (mine TEXT);";
    const database = rejoined(sql);
    const version = database.pragma("schema_version");
    storeWorld(database.name);
    expect(database.pragma("schema_version")).toEqual(version);
    expect(database.prepare("SELECT count(*) FROM pending_turn_intents").pluck().get()).toBe(0);
  });

  it("takes the views for no sign of another program's database", () => {
    const { open, path, store } = storeWorld();
    store.close();
    sqlite3(path, "DROP TABLE schema_info;");
    expect(() => open().close()).not.toThrow();
  });
});
