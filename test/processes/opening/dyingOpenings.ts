import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ProcessGroup } from "../../../scenarios/support/processGroup.ts";
import { openControllerStore } from "../../../src/store/openControllerStore.ts";
import { sentenceOf } from "../../../src/turns/diagnostics.ts";
import { inLanes } from "../support/lanes.ts";
import type { Point } from "../support/points.ts";
import { BEGINNINGS, type Beginning } from "./beginnings.ts";
import { flawsOf, layoutOfLoneStore } from "./storeFlaws.ts";

/** How a store fared whose creator was killed on the way, at one point after the other. */
export interface DyingResult {
  readonly beginning: string;
  readonly points: number;
  readonly violations: readonly string[];
}

const OPENER = fileURLToPath(new URL("./dyingOpener.ts", import.meta.url));

/** How many processes open a store at once, each its own. */
const LANES = 3;

/** Kills a process at every n-th point of its opening, from each beginning, and opens what it left. */
export async function openAndDie({ everyNth }: { readonly everyNth: number }): Promise<readonly DyingResult[]> {
  const folder = mkdtempSync(join(tmpdir(), "deferred-turns-dying-"));
  try {
    const results: DyingResult[] = [];
    for (const beginning of BEGINNINGS) results.push(await dieEverywhere(beginning, { folder, everyNth }));
    return results;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function dieEverywhere(
  beginning: Beginning,
  { folder, everyNth }: { readonly folder: string; readonly everyNth: number },
): Promise<DyingResult> {
  const pathFor = (name: string): string => join(folder, `${beginning.name}-${name}.sqlite`);
  const layout = layoutOfLoneStore(beginning, pathFor("lone"));
  const all = await pointsFrom(beginning, pathFor("undisturbed"));
  const points = all.filter((_, index) => index % everyNth === 0);
  const violations = await inLanes({ items: points, lanes: LANES }, async (point) => {
    const path = pathFor(point);
    beginning.make(path);
    const { signal } = await open([path, point]);
    const flaws = signal === "SIGKILL" ? reopened(path, beginning, layout) : ["the process did not die there"];
    return flaws.map((flaw) => `${point}: ${flaw}`);
  });
  return { beginning: beginning.name, points: points.length, violations: violations.flat() };
}

async function pointsFrom(beginning: Beginning, path: string): Promise<readonly Point[]> {
  beginning.make(path);
  const { status, stdout, stderr } = await open([path]);
  if (status !== 0) throw new Error(`A process that was to open ${beginning.name} failed: ${stderr}`);
  return JSON.parse(stdout) as readonly Point[];
}

function open(args: readonly string[]): ProcessGroup["ended"] {
  return new ProcessGroup({ command: process.execPath, args: [OPENER, ...args], cwd: tmpdir(), env: {} }).ended;
}

/** Opens what the dead process left, and tells what is not as it must be then. */
function reopened(path: string, beginning: Beginning, layout: string): readonly string[] {
  try {
    openControllerStore({ path }).close();
  } catch (error) {
    return [sentenceOf(error)];
  }
  return flawsOf(path, beginning, layout);
}
