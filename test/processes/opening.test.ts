import { describe, expect, it } from "vitest";
import { openTogether } from "./opening/openTogether.ts";
import { openingViolations } from "./opening/report.ts";

describe("a store that several processes open and create at once", () => {
  it.each([2, 8])("is complete, whichever of %i comes first", async (processes) => {
    const results = await openTogether({ processes, rounds: 5 });
    expect(openingViolations(results)).toEqual([]);
    expect(results.some(({ overlaps }) => overlaps > 0)).toBe(true);
  });
});
