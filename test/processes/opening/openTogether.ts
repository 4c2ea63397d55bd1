import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { BEGINNINGS, type Beginning } from "./beginnings.ts";
import type { Opening, OpeningOrder, Span } from "./opener.ts";
import { flawsOf, layoutOfLoneStore } from "./storeFlaws.ts";

/** How processes fared that opened the same new store at once, again and again. */
export interface OpeningResult {
  readonly beginning: string;
  readonly processes: number;
  readonly rounds: number;
  /** In how many rounds at least two openings really went on at the same time. */
  readonly overlaps: number;
  /** How often an opening was told that the store is busy, and succeeded when it tried again. */
  readonly busyAnswers: number;
  readonly violations: readonly string[];
}

const OPENER = fileURLToPath(new URL("./opener.ts", import.meta.url));

/** How long before the common moment the processes are told of it, milliseconds. */
const NOTICE_MS = 15;

/** Lets a number of processes open the same store at once, from each beginning, for a number of rounds. */
export async function openTogether(options: {
  readonly processes: number;
  readonly rounds: number;
}): Promise<readonly OpeningResult[]> {
  const folder = mkdtempSync(join(tmpdir(), "deferred-turns-opening-"));
  const openers = Array.from({ length: options.processes }, () => fork(OPENER));
  try {
    await Promise.all(openers.map((opener) => once(opener, "message")));
    const results: OpeningResult[] = [];
    for (const beginning of BEGINNINGS)
      results.push(await openAgainAndAgain(beginning, { ...options, folder, openers }));
    return results;
  } finally {
    for (const opener of openers) opener.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  }
}

async function openAgainAndAgain(
  beginning: Beginning,
  {
    folder,
    openers,
    rounds,
  }: { readonly folder: string; readonly openers: readonly ChildProcess[]; readonly rounds: number },
): Promise<OpeningResult> {
  const expected = layoutOfLoneStore(beginning, join(folder, `${openers.length}-lone-${beginning.name}.sqlite`));
  const violations: string[] = [];
  let busyAnswers = 0;
  let overlaps = 0;
  for (let round = 1; round <= rounds; round += 1) {
    const path = join(folder, `${openers.length}-${beginning.name}-${round}.sqlite`);
    beginning.make(path);
    const at = Date.now() + NOTICE_MS;
    const openings = await Promise.all(openers.map((opener) => ask(opener, { path, at })));
    if (overlap(openings)) overlaps += 1;
    for (const opening of openings) {
      if (opening.status === "opened") busyAnswers += opening.busyAnswers;
      else violations.push(`round ${round}: ${opening.code}: ${opening.message}`);
    }
    violations.push(...flawsOf(path, beginning, expected).map((flaw) => `round ${round}: ${flaw}`));
  }
  return { beginning: beginning.name, processes: openers.length, rounds, overlaps, busyAnswers, violations };
}

function overlap(openings: readonly Span[]): boolean {
  const inOrder = [...openings].sort((a, b) => a.from - b.from);
  return inOrder.some(({ from }, index) => from < (inOrder[index - 1]?.until ?? 0));
}

async function ask(opener: ChildProcess, order: OpeningOrder): Promise<Opening> {
  const answer = once(opener, "message") as Promise<[Opening]>;
  opener.send(order);
  const [opening] = await answer;
  return opening;
}
