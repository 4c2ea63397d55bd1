import { describe, expect, it } from "vitest";
import { SCENARIOS } from "../../../scenarios/all.ts";
import { play } from "../../../scenarios/play.ts";
import { observe, type Scenario } from "../../../scenarios/scenario.ts";

/** Tests the scenarios of `npm start` that run where `hosts` says: each shows what it expects, and Pi complains of nothing. */
export function describeScenarios(title: string, hosts: readonly Scenario["host"][]): void {
  describe(title, () => {
    const scenarios = SCENARIOS.filter(({ host }) => hosts.includes(host));
    it.each(scenarios.map((scenario) => [scenario.event, scenario] as const))("%s", async (_event, scenario) => {
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
}
