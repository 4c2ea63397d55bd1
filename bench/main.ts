// `npm run bench`: this library against what it is compared with.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import { runDevCommand } from "../dev/devCommand.ts";
import { BenchChild } from "./src/child.ts";
import { installPeers } from "./src/install.ts";
import { type BenchOptions, benchCommand } from "./src/options.ts";
import { type Line, reportOf } from "./src/report.ts";
import type { Row } from "./src/row.ts";
import { loadRow, rowNames } from "./src/rowFiles.ts";
import { tableOf } from "./src/table.ts";

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
  for (const name of names) lines.push(...(await measure(name, options.rounds)));
  console.log(`\n${tableOf(lines)}`);
  const report = reportOf(rows, lines);
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(join(RESULTS, "latest.json"), `${JSON.stringify(report, undefined, 2)}\n`);
  console.log(`\n${report.missed.length === 0 ? "Every bar is met." : `Missed: ${report.missed.join("; ")}`}`);
  return 0;
}

/** Each row in a process of its own: what ran before would have shaped the machine code that it is measured with. */
async function measure(name: string, rounds: number): Promise<readonly Line[]> {
  const child = new BenchChild("measure-row.ts", [name, String(rounds)]);
  const lines = (await child.hears()) as readonly Line[];
  await child.end();
  return lines;
}

await runDevCommand(benchCommand(), main);
