import { describe, expect, it } from "vitest";
import { openAndDie } from "./opening/dyingOpenings.ts";
import { openTogether } from "./opening/openTogether.ts";
import { dyingViolations, openingViolations } from "./opening/report.ts";

describe("a store that several processes open and create at once", () => {
  it.each([2, 8])("is complete, whichever of %i comes first", async (processes) => {
    const results = await openTogether({ processes, rounds: 5 });
    expect(openingViolations(results)).toEqual([]);
    expect(results.some(({ overlaps }) => overlaps > 0)).toBe(true);
  });
});

describe("a store whose creator is killed", () => {
  it("is completed by the next process, wherever the first one stopped", async () => {
    const results = await openAndDie({ everyNth: 20 });
    expect(dyingViolations(results)).toEqual([]);
    expect(results.every(({ points }) => points > 1)).toBe(true);
  });
});
