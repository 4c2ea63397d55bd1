import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { compare } from "./ratio.ts";
import { type Line, titleOf } from "./report.ts";
import { loadRow } from "./rowFiles.ts";

/** Beside the code, so that it is on a real disk: a folder for temporary files is often kept in memory. */
const WORK = fileURLToPath(new URL("../.work/", import.meta.url));

/** Measures a row in this process, and prints each figure when it is there. */
export async function measureRow(name: string, rounds: number): Promise<readonly Line[]> {
  const row = await loadRow(name);
  const folder = join(WORK, `${name}-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  const { comparisons = [], sizes = [], close } = await row.prepare(folder);
  try {
    const lines: Line[] = sizes.map((size) => ({ kind: "size", row: name, size }));
    for (const { name: part, bar, unit, figure, operations, ...sides } of comparisons) {
      const comparison = { bar, unit, figure, operations };
      const outcome = await compare({ ...comparison, ...sides, name: part }, sides.rounds ?? rounds);
      const line: Line = { kind: "comparison", row: name, name: part, comparison, outcome };
      console.log(`${titleOf(line)}: ${outcome.figure.median.toFixed(2)}`);
      lines.push(line);
    }
    return lines;
  } finally {
    await close?.();
    rmSync(folder, { recursive: true, force: true });
  }
}
