import { describe, expect, it } from "vitest";
import { DEFAULT_BUSY_TIMEOUT_MS } from "../../src/store/openControllerStore.ts";
import { Child } from "../store/helpers/child.ts";
import { draft, errorOf, storeWorld } from "../store/helpers/storeWorld.ts";
import { agentCancel, end, startedWorld } from "../support/turnWorld.ts";
import { owed } from "./support/illWorld.ts";

/** How long the other process goes on holding the lock after it was asked for it: 8000 shows a long one. */
const HOLD_MS = process.env["HOSTILE_LOCK_MS"] ?? "0";

/** A real process that holds the write lock of a database until it is told to let go. */
async function locked(path: string): Promise<Child> {
  const holder = new Child("./holdWriteLock.ts", path, HOLD_MS);
  await holder.says("locked");
  return holder;
}

const DECISIONS = {
  ensure: (store: ReturnType<typeof storeWorld>["store"]) => store.ensureWorkflowTurnIntent(draft({ runId: "run-2" })),
  makeEligible: (store) => store.makeWorkflowTurnIntentEligible({ intentId: draft().intentId }),
  claim: (store) =>
    store.claimWorkflowTurnIntentForRun({
      runId: "run-1",
      targetSessionId: "session-1",
      claimToken: "a",
      leaseMs: 1000,
    }),
  release: (store) => store.releaseWorkflowTurnIntentClaim({ intentId: draft().intentId, claimToken: "a" }),
  recordEvent: (store) => store.recordRunEvent({ runId: "run-1", workflowRef: "w", type: "t", payload: {} }),
} as const satisfies Record<string, (store: ReturnType<typeof storeWorld>["store"]) => unknown>;

describe("a store that another process has locked", () => {
  it("refuses every change with STORE_BUSY after one wait, answers every question, and stays as it was", async () => {
    const { path, store, open } = storeWorld();
    store.ensureWorkflowTurnIntent(draft());
    const impatient = open({ busyTimeoutMs: 5 });
    await locked(path);
    const rows = impatient.listWorkflowTurnIntents({ limit: 10 });
    for (const [name, decide] of Object.entries(DECISIONS)) {
      const { code, message } = errorOf(() => decide(impatient));
      expect([name, code, message]).toEqual([name, "STORE_BUSY", expect.stringContaining(path)]);
    }
    expect(impatient.getWorkflowTurnIntent(draft().intentId)).toBeDefined();
    expect(impatient.listWorkflowTurnIntents({ limit: 10 })).toEqual(rows);
  });

  it("delays an abort by one wait of at most a quarter of a second, and the turn comes once when it is free", async () => {
    const world = startedWorld();
    const holder = await locked(world.path);
    let [aborted, waitedMs] = [false, Number.POSITIVE_INFINITY];
    world.pi.prompt("work", (turn) => {
      const started = performance.now();
      world.session().interrupt(agentCancel(owed));
      waitedMs = performance.now() - started;
      aborted = turn.isAborted();
      end(world, owed);
    });
    expect(aborted).toBe(true);
    expect(waitedMs).toBeGreaterThan(DEFAULT_BUSY_TIMEOUT_MS * 0.9);
    // One wait, and what else an interruption costs on a busy machine; a second attempt would double it.
    expect(waitedMs).toBeLessThan(DEFAULT_BUSY_TIMEOUT_MS * 1.9);
    expect(world.turns.diagnostics.count("STORE_BUSY")).toBeGreaterThan(0);
    expect(world.pi.notices).toEqual([expect.stringContaining("could not keep the promise of a later turn")]);
    holder.tell("let go");
    await holder.says("free");
    world.periods(5);
    expect(world.intents()).toMatchObject([{ intentId: owed.intentId, resolution: "fallback" }]);
    expect(world.pi.sent).toHaveLength(1);
  });
});
