import { describe, expect, it, vi } from "vitest";
import { main } from "../../src/cli/main.ts";
import { draft, runClaim, type StoreWorld, storeWorld } from "../store/helpers/storeWorld.ts";
import { testTerminal } from "./support/commandLine.ts";

/** A command that watches a store, as a test looks over its shoulder. */
interface Watching {
  readonly lines: readonly string[];
  /** Waits until it has said so many lines. */
  says(count: number): Promise<readonly string[]>;
  /** Ctrl-C; yields the exit status. */
  stop(): Promise<number>;
}

function watching({ path, clock }: StoreWorld, ...args: readonly string[]): Watching {
  const controller = new AbortController();
  const terminal = testTerminal({ now: clock.now, interruption: () => controller.signal });
  const ended = main(["watch", "--store", path, "--interval", "0.01", ...args], terminal);
  return {
    lines: terminal.lines,
    says: (count) =>
      vi.waitUntil(() => terminal.lines.length >= count && terminal.lines, { timeout: 20_000, interval: 5 }),
    stop: () => {
      controller.abort();
      return ended;
    },
  };
}

const changesIn = (lines: readonly string[]): readonly unknown[] => lines.map((line) => JSON.parse(line).change);

describe("deferred-turns watch", () => {
  it("tells what is pending, then each change, and ends on Ctrl-C with 0", async () => {
    const world = storeWorld();
    const { store } = world;
    const { intentId } = store.ensureWorkflowTurnIntent(draft()).intent;
    const watched = watching(world, "--json");
    const step = async (count: number, act: () => unknown): Promise<void> => {
      act();
      await watched.says(count);
    };
    await watched.says(1);
    await step(2, () => store.makeWorkflowTurnIntentEligible({ intentId }));
    await step(3, () => store.claimWorkflowTurnIntentForRun(runClaim("a")));
    world.clock.advance(10_000);
    await step(4, () => store.renewWorkflowTurnIntentClaim({ intentId, claimToken: "a", leaseMs: 60_000 }));
    await step(5, () => store.releaseWorkflowTurnIntentClaim({ intentId, claimToken: "a" }));
    store.transaction(() => {
      store.claimWorkflowTurnIntentForRun(runClaim("b"));
      store.resolveWorkflowTurnIntent({ intentId, claimToken: "b", resolution: "fallback", messageId: "m" });
    });
    await watched.says(6);
    await step(7, () => store.ensureWorkflowTurnIntent(draft({ runId: "run-2" })));
    expect(await watched.stop()).toBe(0);
    expect(changesIn(watched.lines)).toEqual([
      "pending",
      "eligible",
      "claimed",
      "renewed",
      "released",
      "resolved",
      "created",
    ]);
    expect(JSON.parse(String(watched.lines.at(-1)))).toMatchObject({
      format: "deferred-turns-watch.v1",
      at: "2026-08-21T08:17:41.000Z",
      intent: { runId: "run-2", state: "pending" },
    });
  });

  it("misses no intent that was created and resolved between two looks, and says so in a line", async () => {
    const world = storeWorld();
    world.store.ensureWorkflowTurnIntent(draft({ runId: "run-0" }));
    const watched = watching(world);
    await watched.says(1);
    world.store.transaction((store) => {
      const { intentId } = store.ensureWorkflowTurnIntent(draft()).intent;
      store.claimWorkflowTurnIntentForRun(runClaim("a"));
      store.resolveWorkflowTurnIntent({ intentId, claimToken: "a", resolution: "presentation", messageId: "m" });
      store.ensureWorkflowTurnIntent(draft({ runId: "run-2" }));
    });
    const lines = await watched.says(4);
    await watched.stop();
    const told = lines.map((line) => line.split("  ").slice(1).join("  "));
    expect(told).toContainEqual(
      expect.stringMatching(
        /^resolved {2}[0-9a-f]{12} {2}agentCancelled {2}run run-1 {2}step step {2}by presentation$/,
      ),
    );
  });
});
