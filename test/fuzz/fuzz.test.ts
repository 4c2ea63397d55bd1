import { spawnSync } from "node:child_process";
import { afterEach, describe, expect, it } from "vitest";
import { type ChunkReport, runChunk } from "./chunk.ts";
import { DEFECTS } from "./defects.ts";
import { FuzzWorld } from "./fuzzWorld.ts";
import type { Product } from "./judges/product.ts";
import { neverOccurred, sum } from "./tally.ts";
import { workOn } from "./workers.ts";

const worlds: FuzzWorld[] = [];
afterEach(() => {
  for (const world of worlds.splice(0)) world.close();
});

function worldWith(defects: Partial<Product> = {}): FuzzWorld {
  const world = new FuzzWorld(defects);
  worlds.push(world);
  return world;
}

/** The first violation of the documents of some seeds. */
function firstViolation(world: FuzzWorld, seeds: number): ChunkReport["violation"] {
  for (let seed = 1; seed <= seeds; seed += 1) {
    const { violation } = runChunk(world, seed, 200);
    if (violation !== undefined) return violation;
  }
  return undefined;
}

function fuzz(...args: readonly string[]): { readonly status: number | null; readonly output: string } {
  const main = new URL("./main.ts", import.meta.url).pathname;
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], { encoding: "utf8" });
  return { status, output: stdout + stderr };
}

describe("documents of every kind", () => {
  it("get one verdict from all who judge them, but for the differences that are admitted", () => {
    const world = worldWith();
    const reports = Array.from({ length: 7 }, (_, index) => runChunk(world, index + 1));
    expect(reports.flatMap(({ violation }) => violation ?? [])).toEqual([]);
    expect(neverOccurred(sum(reports.map(({ tally }) => tally)))).toEqual([]);
  });
});

describe("the fuzzer", () => {
  it.each(DEFECTS)("finds $what", ({ defect, violated }) => {
    expect(violated).toContain(firstViolation(worldWith(defect), 15)?.name);
  });

  it("shrinks what it finds, and shows the document and who said what", () => {
    const world = worldWith({ isFacts: () => true });
    const violation = firstViolation(world, 1);
    expect(violation?.story.join("\n")).toMatch(
      /facts: .*\n.*row: .*\n.*parser: refused\n(?:.*\n)*.*validator: accepted, where/,
    );
    expect(violation?.shrunk).toBeGreaterThan(0);
  });

  it("judges the same documents for the same seed, and others for another", () => {
    const world = worldWith();
    expect(runChunk(world, 7, 100)).toEqual(runChunk(world, 7, 100));
    expect(runChunk(world, 7, 100).tally).not.toEqual(runChunk(world, 8, 100).tally);
  });

  it("comes to the same result with any number of threads", async () => {
    const orders = [1, 2, 3].map((seed) => ({ seed, documents: 20 }));
    const counted: number[] = [];
    const onReport = ({ seed }: ChunkReport): unknown => counted.push(seed);
    expect(await workOn(orders, { workers: 2, onReport })).toEqual(await workOn(orders, { workers: 1, onReport }));
    expect(counted.toSorted()).toEqual([1, 1, 2, 2, 3, 3]);
  });

  it("fails a run in which something never occurred", () => {
    const { status, output } = fuzz("--runs", "20", "--workers", "1");
    expect(output).toMatch(/^Never occurred: .*\nviolated: coverageIncomplete$/m);
    expect(status).toBe(1);
  });

  it("explains an argument that is none", () => {
    expect(fuzz("--runs", "many")).toMatchObject({
      status: 2,
      output: expect.stringContaining("give a whole number from 1 to 1000000000."),
    });
  });
});
