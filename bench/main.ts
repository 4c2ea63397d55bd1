// `npm run bench`: this library against what it is compared with.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import { runDevCommand } from "../scripts/support/devCommand.ts";
import { installPeers } from "./src/install.ts";
import { type BenchOptions, benchCommand } from "./src/options.ts";
import { compare } from "./src/ratio.ts";
import { type Line, reportOf, titleOf } from "./src/report.ts";
import type { Row } from "./src/row.ts";
import { loadRow, rowNames } from "./src/rowFiles.ts";
import { tableOf } from "./src/table.ts";

/** Beside the code, so that it is on a real disk: a folder for temporary files is often kept in memory. */
const WORK = fileURLToPath(new URL(".work/", import.meta.url));
const RESULTS = fileURLToPath(new URL("results/", import.meta.url));

async function main(options: BenchOptions, command: Command): Promise<number> {
  const names = rowNames().filter(
    (name) => options.only.length === 0 || options.only.some((only) => name.startsWith(only)),
  );
  if (names.length === 0) command.error(`No row begins with ${options.only.join(" or ")}; --list shows all.`);
  installPeers();
  const rows: Record<string, Row> = {};
  for (const name of names) rows[name] = await loadRow(name);
  if (options.list) {
    for (const [name, { what, against }] of Object.entries(rows))
      console.log(`${name}\n  ${what}\n  against ${against}`);
    return 0;
  }
  const lines: Line[] = [];
  for (const [name, row] of Object.entries(rows))
    lines.push(...(await measureRow({ name, row, rounds: options.rounds })));
  console.log(`\n${tableOf(lines)}`);
  const report = reportOf(rows, lines);
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(join(RESULTS, "latest.json"), `${JSON.stringify(report, undefined, 2)}\n`);
  console.log(`\n${report.missed.length === 0 ? "Every bar is met." : `Missed: ${report.missed.join("; ")}`}`);
  return 0;
}

async function measureRow(job: {
  readonly name: string;
  readonly row: Row;
  readonly rounds: number;
}): Promise<readonly Line[]> {
  const folder = join(WORK, `${job.name}-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  const { comparisons = [], sizes = [], close } = await job.row.prepare(folder);
  try {
    const lines: Line[] = sizes.map((size) => ({ kind: "size", row: job.name, size }));
    for (const comparison of comparisons) {
      const { name, bar, unit, figure, operations } = comparison;
      const outcome = await compare(comparison, comparison.rounds ?? job.rounds);
      const line: Line = {
        kind: "comparison",
        row: job.name,
        name,
        comparison: { bar, unit, figure, operations },
        outcome,
      };
      console.log(`${titleOf(line)}: ${outcome.figure.median.toFixed(2)}`);
      lines.push(line);
    }
    return lines;
  } finally {
    await close?.();
    rmSync(folder, { recursive: true, force: true });
  }
}

await runDevCommand(benchCommand(), main);
