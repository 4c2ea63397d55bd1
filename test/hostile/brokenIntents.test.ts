import { describe, expect, it } from "vitest";
import type { RowChanges } from "../store/helpers/bareStore.ts";
import { draft, errorOf, plainConnection, storeWorld } from "../store/helpers/storeWorld.ts";
import { agentCancel, end, interruptionDraft } from "../support/turnWorld.ts";
import { BROKEN_COLUMNS, insertBroken, writeUnguarded } from "./support/brokenRows.ts";
import { cancelledTurn, expectOneTurn, owed, sessionOn } from "./support/illWorld.ts";
import { emptyStore, newPath, withStore } from "./support/stores.ts";

const good = draft({ runId: "good" });
const claim = { targetSessionId: "session-1", claimToken: "t", leaseMs: 1000 } as const;

/** A store with a broken row before a good one of the same session. */
function storeWithBroken(changes: RowChanges): ReturnType<typeof storeWorld> {
  const path = emptyStore();
  writeUnguarded(path, insertBroken("bad", changes));
  const world = storeWorld(path);
  world.store.ensureWorkflowTurnIntent({ ...good, eligible: true });
  return world;
}

describe("an intent that breaks its contract", () => {
  it.each(Object.entries(BROKEN_COLUMNS))(
    "by %s is passed over, reported once, and blocks no other",
    (_what, changes) => {
      const { store, diagnostics } = storeWithBroken(changes);
      for (let pass = 0; pass < 2; pass += 1) {
        const listed = store.listWorkflowTurnIntents({ targetSessionId: "session-1", state: "eligible", limit: 10 });
        expect([listed.intents.map(({ runId }) => runId), listed.unreadable.length]).toEqual([["good"], 1]);
        const reasons = JSON.stringify(listed.unreadable.map(({ violations }) => violations));
        expect(Object.keys(changes).some((column) => reasons.includes(column))).toBe(true);
        const claimed = store.claimEligibleWorkflowTurnIntentsForSession({ ...claim, limit: 10 });
        expect(claimed.map(({ runId }) => runId)).toEqual(["good"]);
        expect(store.claimWorkflowTurnIntentForRun({ ...claim, runId: "bad" })).toEqual({ status: "none" });
        store.makeRunTurnIntentsEligible({ runId: "bad" });
      }
      expect(diagnostics).toMatchObject([{ code: "CORRUPT_ROW", message: expect.stringContaining("sqlite3") }]);
      expect(diagnostics[0]?.message.length).toBeLessThan(2000);
    },
  );

  it("is named where it is asked for itself, and an interruption of its run is not stored over it", () => {
    const { store, path } = storeWithBroken({ fallback_facts_json: "'{'" });
    const bad = draft({ runId: "bad" });
    const row = (): unknown =>
      plainConnection(path).prepare("SELECT * FROM workflow_turn_intents WHERE run_id = 'bad'").all();
    const before = row();
    for (const ask of [
      () => store.getWorkflowTurnIntent(bad.intentId),
      () => store.ensureWorkflowTurnIntent(bad),
      () => store.ensureWorkflowTurnIntent(draft({ runId: "bad", attemptId: "attempt-2" })),
    ]) {
      const { code, path: place } = errorOf(ask);
      expect([code, place]).toEqual(["CORRUPT_ROW", expect.stringContaining("fallback_facts_json")]);
    }
    expect(row()).toEqual(before);
  });
});

describe("a session with broken intents", () => {
  it("delivers the good one once, and reports each broken one once", () => {
    const path = newPath();
    withStore(path, (store) => store.ensureWorkflowTurnIntent({ ...owed, eligible: true }));
    const rows = Object.values(BROKEN_COLUMNS).map((changes, place) => insertBroken(`bad-${place}`, changes));
    writeUnguarded(path, ...rows);
    const world = sessionOn(path);
    world.pi.start();
    world.periods(20);
    expect(world.pi.sent.map(({ message }) => message.details?.["turnIntentId"])).toEqual([owed.intentId]);
    expect(world.turns.diagnostics.count("CORRUPT_ROW")).toBe(rows.length);
    expect(world.session().store().getWorkflowTurnIntent(owed.intentId)).toMatchObject({ resolution: "fallback" });
  });

  it("aborts a turn whose intent is broken, tells the user, and delivers it once when the row is corrected", () => {
    const path = newPath();
    withStore(path, (store) => store.ensureWorkflowTurnIntent(owed));
    const breaking = `UPDATE workflow_turn_intents SET fallback_facts_json = '{'`;
    writeUnguarded(path, breaking);
    const world = sessionOn(path);
    world.pi.start();
    expect(cancelledTurn(world)).toBe(true);
    expect(world.turns.diagnostics.count("CORRUPT_ROW")).toBeGreaterThan(0);
    expect(world.pi.notices).toEqual([expect.stringContaining("could not keep the promise of a later turn")]);
    const corrected = JSON.stringify(owed.fallbackFacts);
    plainConnection(path).prepare("UPDATE workflow_turn_intents SET fallback_facts_json = ?").run(corrected);
    expectOneTurn(world);
  });

  it("keeps the promise of another run's interruption", () => {
    const path = emptyStore();
    writeUnguarded(path, insertBroken("bad", { cause: "'bored'" }));
    const world = sessionOn(path);
    world.pi.start();
    const other = interruptionDraft({ runId: "other" });
    world.pi.prompt("work", () => {
      expect(world.session().interrupt(agentCancel(other)).ensured?.status).toBe("stored");
      end(world, other);
    });
    world.periods(5);
    expect(world.pi.sent).toHaveLength(1);
    expect(world.pi.notices).toEqual([]);
  });
});
