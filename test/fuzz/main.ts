// `npm run fuzz`: random and mutated documents for every contract; all who judge them must agree.
import { existsSync } from "node:fs";
import { runDevCommand } from "../../dev/devCommand.ts";
import { CHUNK_SIZE, type ChunkReport } from "./chunk.ts";
import { SQLITE_COMMAND } from "./judges/guardedDatabase.ts";
import { type FuzzOptions, fuzzCommand } from "./options.ts";
import { neverOccurred, sum, tableOf } from "./tally.ts";
import { type ChunkOrder, workOn } from "./workers.ts";

await runDevCommand(fuzzCommand(), fuzz);

async function fuzz(options: FuzzOptions): Promise<number> {
  const started = performance.now();
  const orders = ordersOf(options);
  if (!existsSync(SQLITE_COMMAND)) say(`${SQLITE_COMMAND} is not installed: only the library's SQLite judges.`);
  const reports = await workOn(orders, { workers: options.workers, onReport: progressOf(orders) });
  const seconds = (performance.now() - started) / 1000;

  const tally = sum(reports.map((report) => report.tally));
  const broken = reports.find(({ violation }) => violation !== undefined);
  if (broken?.violation !== undefined) {
    say(storyOf(broken, broken.violation));
    return 1;
  }
  say(tableOf(tally));
  const documents = orders.reduce((count, order) => count + order.documents, 0);
  const missing = options.replay === undefined ? neverOccurred(tally) : [];
  if (missing.length > 0) {
    say(
      `\nNever occurred: ${missing.join("; ")}. Ask for more runs, or correct the lists.\nviolated: coverageIncomplete`,
    );
    return 1;
  }
  say(`\n${documents} documents, 0 violations, ${seconds.toFixed(0)} s (${Math.round(documents / seconds)} a second)`);
  return 0;
}

/** Seeds in a row, each for so many documents; the last one for what is left. */
function ordersOf({ runs, seed, replay }: FuzzOptions): readonly ChunkOrder[] {
  if (replay !== undefined) return [{ seed: replay, documents: CHUNK_SIZE }];
  return Array.from({ length: Math.ceil(runs / CHUNK_SIZE) }, (_, index) => ({
    seed: (seed + index) % 0x80000000,
    documents: Math.min(CHUNK_SIZE, runs - index * CHUNK_SIZE),
  }));
}

/** Shows a person at a terminal how far it is. */
function progressOf(orders: readonly ChunkOrder[]): (report: ChunkReport) => void {
  let done = 0;
  return () => {
    done += 1;
    if (process.stderr.isTTY)
      process.stderr.write(`\r${done} of ${orders.length} seeds${done === orders.length ? "\n" : ""}`);
  };
}

function storyOf({ seed }: ChunkReport, violation: NonNullable<ChunkReport["violation"]>): string {
  return [
    `The documents of seed ${seed} break a rule; shrunk ${violation.shrunk} times to`,
    ...violation.story,
    `Repeat it with: npm run fuzz -- --replay ${seed}`,
    `violated: ${violation.name}`,
  ].join("\n");
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
