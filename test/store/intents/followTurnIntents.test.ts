import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { insertIntent, sqlite3, text } from "../helpers/bareStore.ts";
import { afterTest, draft, runClaim, storeWorld } from "../helpers/storeWorld.ts";

describe("a follower of turn intents", () => {
  it("has what is pending at first, and nothing more while nobody writes", () => {
    const { store, open } = storeWorld();
    store.ensureWorkflowTurnIntent(draft());
    const follower = open({ readonly: true }).followWorkflowTurnIntents();
    expect(follower.next()?.map(({ runId }) => runId)).toEqual(["run-1"]);
    expect(follower.next()).toBeUndefined();
  });

  it("has an intent once more when it is resolved, and then no longer", () => {
    const { store, open } = storeWorld();
    const { intentId } = store.ensureWorkflowTurnIntent(draft()).intent;
    const follower = open({ readonly: true }).followWorkflowTurnIntents();
    follower.next();
    store.claimWorkflowTurnIntentForRun(runClaim("a"));
    store.resolveWorkflowTurnIntent({ intentId, claimToken: "a", resolution: "fallback", messageId: "m" });
    expect(follower.next()?.map(({ resolution }) => resolution)).toEqual(["fallback"]);
    store.ensureWorkflowTurnIntent(draft({ runId: "run-2" }));
    expect(follower.next()?.map(({ runId }) => runId)).toEqual(["run-2"]);
  });

  it("passes over a row that cannot be read, and reports it", () => {
    const { path, open, diagnostics } = storeWorld();
    const follower = open({ readonly: true }).followWorkflowTurnIntents();
    const unguard = "DROP TRIGGER workflow_turn_intents_guard_insert_columns;";
    const facts = "DROP TRIGGER workflow_turn_intents_guard_insert_fallback_facts_json;";
    sqlite3(
      path,
      unguard + facts + insertIntent(draft(), { cause: text("bored") }) + insertIntent(draft({ runId: "run-2" })),
    );
    expect(follower.next()?.map(({ runId }) => runId)).toEqual(["run-2"]);
    expect(diagnostics.filter(({ code }) => code === "CORRUPT_ROW")).toHaveLength(1);
  });
});

describe("a search by the beginning of an id", () => {
  it("finds the ids in their order, by the index of the key", () => {
    const { store, path } = storeWorld();
    const ids = Array.from({ length: 20 }, (_, n) => draft({ runId: `run-${n}` }));
    for (const each of ids) store.ensureWorkflowTurnIntent(each);
    const sorted = ids.map(({ intentId }) => intentId).toSorted();
    const [first = ""] = sorted;
    expect(store.findWorkflowTurnIntentIds({ prefix: "deferred-turn:", limit: 20 })).toEqual(sorted);
    expect(store.findWorkflowTurnIntentIds({ prefix: first, limit: 20 })).toEqual([first]);
    expect(store.findWorkflowTurnIntentIds({ prefix: "other", limit: 20 })).toEqual([]);
    const database = new Database(path);
    afterTest(() => database.close());
    const plan = database
      .prepare<[], { readonly detail: string }>(
        "EXPLAIN QUERY PLAN SELECT intent_id FROM workflow_turn_intents WHERE intent_id >= 'a' AND intent_id < 'b' ORDER BY intent_id",
      )
      .all();
    expect(plan.map(({ detail }) => detail)).toEqual([
      expect.stringMatching(/^SEARCH .*\(intent_id>\? AND intent_id<\?\)$/),
    ]);
  });
});
