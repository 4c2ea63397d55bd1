import { describe, expect, it } from "vitest";
import { SCENARIOS } from "../../scenarios/all.ts";
import { play } from "../../scenarios/play.ts";
import { observe } from "../../scenarios/scenario.ts";

describe("on real Pi", () => {
  it.each(SCENARIOS.map((scenario) => [scenario.event, scenario] as const))("%s", async (_event, scenario) => {
    const played = await play(scenario);
    if (played.status !== "played") {
      const mayBeSkipped = played.status === "skipped" && process.env["CI"] !== "true";
      expect(mayBeSkipped, `${scenario.name}: ${played.reason}`).toBe(true);
      return;
    }
    expect(observe(played.outcome)).toEqual(scenario.expected);
    expect(played.differences).toEqual([]);
  });
});
