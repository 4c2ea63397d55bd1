import { describe, expect, it } from "vitest";
import { tableText } from "../../src/cli/output/table.ts";

const RUN = "20260821T081731Z-autoimplement-407480dd";
const ROWS = [
  ["0123456789ab", RUN, "漢字漢字漢字漢字漢字漢字"],
  ["ba9876543210", "short", "s"],
];

/** A line's width in cells: a Chinese character takes two. */
const widthOf = (line: string): number => line.length + (line.match(/[漢字]/g) ?? []).length;

const table = async (columns: number | undefined): Promise<readonly string[]> =>
  (await tableText(["ID", "RUN", "SESSION"], ROWS, { columns, hasColours: false })).split("\n");

const ONE_LINE_A_ROW = [
  "ID            RUN                                      SESSION",
  "0123456789ab  20260821T081731Z-autoimplement-407480dd  漢字漢字漢字漢字漢字漢字",
  "ba9876543210  short                                    s",
];

describe("a table", () => {
  it.each([undefined, 120, 79])("has one line a row where %s cells are enough", async (columns) => {
    expect(await table(columns)).toEqual(ONE_LINE_A_ROW);
  });

  it("is a block for each row where the terminal is narrower", async () => {
    expect(await table(78)).toEqual([
      "id: 0123456789ab",
      `run: ${RUN}`,
      "session: 漢字漢字漢字漢字漢字漢字",
      "",
      "id: ba9876543210",
      "run: short",
      "session: s",
    ]);
  });

  it.each([78, 60, 41, 39])("is not wider than %i cells, and cuts no id", async (columns) => {
    const lines = await table(columns);
    expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(columns);
    for (const cell of ROWS.flat()) expect(lines).toContainEqual(expect.stringContaining(cell));
  });

  it("is as wide as a single id where the terminal is narrower than that", async () => {
    expect(await table(30)).toContain(RUN);
  });
});
