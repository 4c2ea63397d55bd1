import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { benchCommand } from "../../bench/src/options.ts";
import { compare } from "../../bench/src/ratio.ts";
import { atLeast, atMost, type Comparison, printed } from "../../bench/src/row.ts";
import { rowNames } from "../../bench/src/rowFiles.ts";
import { estimate, median } from "../../bench/src/statistics.ts";
import { judge } from "../../bench/src/verdict.ts";

function upTo(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

describe("an estimate", () => {
  it("is the value in the middle, or the mean of the two in the middle", () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(() => median([])).toThrow("at least one value");
  });

  it("has the interval of the tables of order statistics", () => {
    // Of 20 values the 6th to the 15th, of 30 the 10th to the 21st, of 6 the first to the last.
    expect(estimate(upTo(20))).toEqual({ median: 10.5, low: 6, high: 15 });
    expect(estimate(upTo(30))).toEqual({ median: 15.5, low: 10, high: 21 });
    expect(estimate(upTo(6))).toEqual({ median: 3.5, low: 1, high: 6 });
  });

  it("is not moved by one round in which the machine was busy", () => {
    expect(estimate([...upTo(19), 1e9]).high).toBe(15);
  });
});

describe("a comparison", () => {
  function recorded(figure: Comparison["figure"]) {
    const calls: string[] = [];
    const side = (name: string, value: number) => () => {
      calls.push(name);
      return value;
    };
    const sides = { measured: side("ours", 30), baseline: side("theirs", 20) };
    return { calls, comparison: { name: "", bar: printed, unit: "ns", figure, operations: 1, ...sides } as const };
  }

  it("measures both sides in each round, the first of them in turn", async () => {
    const { calls, comparison } = recorded("ratio");
    const outcome = await compare({ ...comparison, warmUps: 0 }, 3);
    expect(calls).toEqual(["ours", "theirs", "theirs", "ours", "ours", "theirs"]);
    expect(outcome).toMatchObject({ rounds: 3, measured: 30, baseline: 20, figure: { median: 1.5 } });
  });

  it("does not count the rounds of its warm-up", async () => {
    const { calls, comparison } = recorded("difference");
    const outcome = await compare({ ...comparison, warmUps: 2 }, 1);
    expect(calls).toHaveLength(6);
    expect(outcome.figure).toEqual({ median: 10, low: 10, high: 10 });
  });
});

describe("a verdict", () => {
  const figure = { median: 1.2, low: 1.1, high: 1.4 };

  it("holds the median to the bar, and says when the interval does not", () => {
    expect(judge(atMost(1.5), figure)).toEqual({ met: true, unsure: false });
    expect(judge(atMost(1.3), figure)).toEqual({ met: true, unsure: true });
    expect(judge(atMost(1.15), figure)).toEqual({ met: false, unsure: true });
    expect(judge(atLeast(0.8), figure)).toEqual({ met: true, unsure: false });
    expect(judge(atLeast(1.5), figure)).toEqual({ met: false, unsure: false });
    expect(judge(printed, figure)).toEqual({ met: undefined, unsure: false });
  });
});

describe("the command", () => {
  const optionsOf = (args: readonly string[]): object => benchCommand().parse(args, { from: "user" }).opts();

  it("takes rows, rounds and --list", () => {
    expect(optionsOf([])).toEqual({ only: [], rounds: 30 });
    expect(optionsOf(["--only", "ensure", "--only", "open", "--rounds", "50", "--list"])).toEqual({
      only: ["ensure", "open"],
      rounds: 50,
      list: true,
    });
  });

  it("measures no pair fewer than 20 times", () => {
    expect(() => optionsOf(["--rounds", "19"])).toThrow("at least 20");
    expect(() => optionsOf(["--rounds", "many"])).toThrow("at least 20");
  });
});

describe("bench/README.md", () => {
  it("explains every row, and no other", () => {
    const text = readFileSync(new URL("../../bench/README.md", import.meta.url), "utf8");
    const explained = [...text.matchAll(/^### `(?<name>[^`]+)`$/gm)].map(({ groups }) => groups?.["name"]);
    expect(explained.sort()).toEqual(rowNames());
  });
});
