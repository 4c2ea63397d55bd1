import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { figureOf } from "../src/child.ts";
import { builtLibrary } from "../src/package.ts";
import { atMost, type Comparison, printed, type Row } from "../src/row.ts";
import { fillWithHistory } from "../src/worlds/history.ts";

const BETTER_SQLITE3 = pathToFileURL(createRequire(import.meta.url).resolve("better-sqlite3")).href;

export const row: Row = {
  what: "import of the published library and opening of an existing store, in a new process",
  against: "import of better-sqlite3 and opening of the same file with the same settings",
  prepare: (folder) => {
    const library = builtLibrary();
    const path = join(folder, "store.sqlite");
    fillWithHistory(path, 100);
    const comparison = (name: string, sides: Pick<Comparison, "bar" | "measured" | "baseline">): Comparison => ({
      name,
      unit: "ns",
      figure: "ratio",
      operations: 1,
      warmUps: 2,
      ...sides,
    });
    return {
      comparisons: [
        comparison("import and open", {
          bar: atMost(1.5),
          measured: () => figureOf("open-store.ts", [path, library]),
          baseline: () => figureOf("open-store.ts", [path]),
        }),
        comparison("import alone", {
          bar: printed,
          measured: () => figureOf("import.ts", [library]),
          baseline: () => figureOf("import.ts", [BETTER_SQLITE3]),
        }),
      ],
    };
  },
};
