import { describe, expect, it } from "vitest";
import { tableText } from "../../src/cli/output/table.ts";

const COLUMNS = [
  { title: "ID", folds: false },
  { title: "RUN", folds: true },
  { title: "SESSION", folds: true },
];
const ROWS = [
  ["0123456789ab", "20260821T081731Z-autoimplement-407480dd", "漢字漢字漢字漢字漢字漢字"],
  ["ba9876543210", "short", "s"],
];

/** A line's width in cells: a Chinese character takes two. */
const widthOf = (line: string): number => line.length + (line.match(/[漢字]/g) ?? []).length;

const table = (columns: number | undefined): Promise<string> =>
  tableText(COLUMNS, ROWS, { columns, hasColours: false });

describe("a table", () => {
  it("is as wide as its text where there is no terminal, one line a row", async () => {
    expect((await table(undefined)).split("\n")).toEqual([
      "ID            RUN                                      SESSION",
      "0123456789ab  20260821T081731Z-autoimplement-407480dd  漢字漢字漢字漢字漢字漢字",
      "ba9876543210  short                                    s",
    ]);
  });

  it.each([120, 80, 60, 40])("fits a terminal of %i cells, and loses no character", async (columns) => {
    const text = await table(columns);
    const lines = text.split("\n");
    expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(columns);
    for (const cell of ROWS.flat()) {
      const letters = [...cell];
      for (const letter of new Set(letters)) {
        const count = (each: string): number => each.split(letter).length;
        expect(count(text)).toBeGreaterThanOrEqual(count(cell));
      }
    }
    expect(text.match(/漢/g)).toHaveLength(6);
  });

  it("folds the longest column before the others", async () => {
    const [, first = ""] = (await table(60)).split("\n");
    expect(first).toContain("0123456789ab  ");
    expect((await table(60)).split("\n")).toContainEqual(expect.stringMatching(/^ba9876543210 {2}short +s$/));
  });
});
