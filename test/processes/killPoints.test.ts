import { describe, expect, it } from "vitest";
import { STORIES } from "./killPoints/stories.ts";
import { eachKindOnce, type Selection, surveyCrashes, violationLines } from "./killPoints/survey.ts";
import { kindOf } from "./support/points.ts";

/** Long enough for a slow machine, milliseconds. */
const DEADLINE_MS = 240_000;

/** Before the send, between it and the entry, between the entry and the resolution, and after that. */
const AROUND_DELIVERY = /^before (sendMessage|appendCustomMessageEntry)$|^(before|after) resolveWorkflowTurnIntent$/;

const aroundDelivery: Selection = (points) =>
  eachKindOnce(points).filter((point) => AROUND_DELIVERY.test(kindOf(point)));

describe("a process of real Pi that is killed", () => {
  it("at each kind of point: the agent's cancellation leads to exactly one message", {
    timeout: DEADLINE_MS,
  }, async () => {
    const crashes = await surveyCrashes(named("agentCancels"), { select: eachKindOnce });
    expect(crashes.flatMap(violationLines)).toEqual([]);
    expect(new Set(crashes.map(({ state }) => state))).toContain("over, delivered");
  });

  it("around the delivery: prompt and presentation lead to exactly one message", { timeout: DEADLINE_MS }, async () => {
    const crashes = await surveyCrashes(named("recovers", "presents"), { select: aroundDelivery });
    expect(crashes.flatMap(violationLines)).toEqual([]);
    expect(crashes.length).toBe(8);
  });
});

function named(...names: readonly string[]): typeof STORIES {
  return STORIES.filter(({ name }) => names.includes(name));
}
