import { afterAll, describe, expect, it } from "vitest";
import { explore } from "./explore.ts";
import { PLANS } from "./plans.ts";
import { SmallWorld } from "./smallWorld.ts";
import { report } from "./story.ts";
import { WorldFiles } from "./worldFiles.ts";

const files = new WorldFiles();
afterAll(() => files.close());

/** A step less than the command takes when it is told no depth. */
const STEPS_LESS = 1;

describe("every interleaving of two processes, two intents and what goes wrong", () => {
  it.each(PLANS)("keeps every rule: $tells", (plan) => {
    const found = explore(plan, { files, depth: plan.quickDepth - STEPS_LESS });
    if (found.violation !== undefined) expect.fail(report(plan, found));
    expect(found.statesByDepth).toHaveLength(plan.quickDepth - STEPS_LESS + 1);
  });
});

describe("the small world", () => {
  const handover = PLANS.find(({ name }) => name === "handover") ?? expect.fail("There is no such world.");

  it("names each point at which a death leaves something new, and goes on from there as from any other state", () => {
    const step = { kind: "act", act: "timeOut", by: "A" } as const;
    const world = new SmallWorld(handover, files);
    const names = world.watch(step).points.map(({ name }) => name);
    expect(names).toEqual([
      "before input",
      "after an entry is written",
      "after transaction",
      "after an entry is written",
    ]);
  });

  it("kills a process in the middle of an act, which then does nothing more", () => {
    const world = new SmallWorld(handover, files);
    const step = { kind: "act", act: "timeOut", by: "A" } as const;
    const stored = world.watch(step).points[2] ?? expect.fail("The intent was not stored.");
    const crashed = new SmallWorld(handover, files);
    crashed.take({ ...step, fault: { kind: "crash", point: stored.number, where: stored.name } });
    expect(crashed.processes.A.isAlive).toBe(false);
    expect(crashed.row("second")).toMatchObject({ resolved_at: null });
    expect(files.entries()).toHaveLength(1);
  });

  it("tells a violation as a story in numbered sentences", () => {
    const path = [
      { kind: "start", by: "B" },
      { kind: "act", act: "pass", by: "B", fault: { kind: "storeFails", call: 1, where: "listing intents" } },
      { kind: "time" },
    ] as const;
    const broken = [{ rule: "an intent has at most one message", at: "first run" }];
    const found = { statesByDepth: [1, 2], transitions: 3, isComplete: false, violation: { path, broken } };
    expect(report(handover, found).split("\n").slice(-5)).toEqual([
      "  1. B opens the session.",
      "  2. B makes a sync pass. In that the store fails at listing intents.",
      "  3. Half a lease goes by.",
      "  broken: an intent has at most one message (first run)",
      "violated: an intent has at most one message (world handover)",
    ]);
  });
});
