import { join } from "node:path";
import { openControllerStore } from "../../src/store/openControllerStore.ts";
import { figureOf } from "../src/child.ts";
import { atMost, type Bar, type Comparison, printed, type Row, type Side } from "../src/row.ts";

const KIB = 1024;

export const row: Row = {
  what: "heap of an extension after 10,000 idle passes and a forced collection, each in a process of its own",
  against: "after 1,000 passes; the figure is how much more it is",
  prepare: (folder) => {
    const path = join(folder, "store.sqlite");
    openControllerStore({ path }).close();
    const comparison = (name: string, bar: Bar, flags: readonly string[]): Comparison => {
      const heapAfter = (passes: number): Side => {
        return () => figureOf("idle-heap.ts", [path, String(passes)], ["--expose-gc", ...flags]);
      };
      const sides = { measured: heapAfter(10_000), baseline: heapAfter(1000) };
      return { name, bar, unit: "bytes", figure: "difference", operations: 1, ...sides, warmUps: 1, rounds: 20 };
    };
    return {
      comparisons: [
        comparison("as it runs", atMost(256 * KIB), []),
        comparison("without machine code of V8", printed, ["--no-opt"]),
      ],
    };
  },
};
