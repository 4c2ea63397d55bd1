import { describe, expect, it } from "vitest";
import { foldedLines } from "../../src/cli/output/foldedLines.ts";

const line = {
  head: "PROBLEM  place  ",
  text: "The store /home/me/projects/controller.sqlite has mode 644 and 漢字 users",
};
const folded = async (columns: number | undefined): Promise<string> =>
  (await foldedLines([line], { columns })).join("\n");

describe("a line with a head", () => {
  it.each([undefined, 200])("is one line where %s cells are enough", async (columns) => {
    expect(await folded(columns)).toBe(line.head + line.text);
  });

  it("is folded between words, beside its head", async () => {
    expect(await folded(48)).toBe(
      [
        "PROBLEM  place  The store",
        "                /home/me/projects/controller.sqlite",
        "                has mode 644 and 漢字 users",
      ].join("\n"),
    );
  });

  it("begins below its head where the terminal is narrow, and cuts no path", async () => {
    expect(await folded(30)).toBe(
      ["PROBLEM  place", "  The store", "  /home/me/projects/controller.sqlite", "  has mode 644 and 漢字 users"].join(
        "\n",
      ),
    );
  });
});
