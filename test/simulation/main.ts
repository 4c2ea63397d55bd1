import { parseArgs } from "node:util";
import { playSchedule } from "./playSchedule.ts";
import { scheduleOf } from "./schedule.ts";
import { shrink } from "./shrink.ts";
import type { GoOn, SeedRange } from "./simulate.ts";
import { describeTally, type Failure } from "./summary.ts";
import { simulateInParallel } from "./workers.ts";
import { SimulationFolder } from "./world/simulationFolder.ts";

const USAGE = `npm run simulate -- --seeds N [--from S] [--keep-going] [--brief]   play the schedules of N seeds
npm run simulate -- --replay SEED [--shrink]                        tell the story of one seed, or of its core`;

const say = (text: string): boolean => process.stdout.write(`${text}\n`);

/** The most failures that are listed. */
const MOST_LISTED = 20;

async function replay(seed: number, shrinks: boolean): Promise<void> {
  const folder = new SimulationFolder();
  try {
    const whole = await playSchedule(folder, scheduleOf(seed));
    const { violation } = whole;
    const isCore = shrinks && violation !== undefined;
    const told = isCore
      ? await playSchedule(folder, await shrink(folder, scheduleOf(seed), violation.invariant))
      : whole;
    say(told.story);
    if (violation !== undefined) say(`violated: ${violation.invariant} (seed ${seed})`);
    process.exitCode = violation === undefined ? 0 : 1;
  } finally {
    folder.remove();
  }
}

interface RunOptions {
  readonly range: SeedRange;
  readonly goOn: GoOn;
  /** Whether the story of the first failure is left out. */
  readonly brief: boolean;
}

async function run({ range, goOn, brief }: RunOptions): Promise<void> {
  const started = performance.now();
  const tally = await simulateInParallel(range, goOn);
  const seconds = (performance.now() - started) / 1000;
  say(describeTally(tally));
  say(`${seconds.toFixed(1)} s, ${(tally.schedules / seconds).toFixed(1)} schedules per second`);
  const { failures } = tally;
  for (const { invariant, seed } of failures.slice(0, MOST_LISTED)) say(`violated: ${invariant} (seed ${seed})`);
  const [first] = failures;
  if (first !== undefined && !brief) await tell(first);
  process.exitCode = first === undefined ? 0 : 1;
}

/** Tells the core of a failure, and how to see it again. */
async function tell({ seed, invariant, sentence }: Failure): Promise<void> {
  const folder = new SimulationFolder();
  try {
    const core = await shrink(folder, scheduleOf(seed), invariant);
    const { story } = await playSchedule(folder, core);
    say(`\nThe rule ${invariant} was broken: ${sentence}\n\n${story}\n`);
    say(`To see it again: npm run simulate -- --replay ${seed} --shrink`);
  } finally {
    folder.remove();
  }
}

/** A whole number; undefined where the option is left out. */
function integer(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (Number.isInteger(value) && value >= 0) return value;
  throw new Error(`${text} is no whole number.\n\n${USAGE}`);
}

const { values } = parseArgs({
  options: {
    seeds: { type: "string" },
    from: { type: "string" },
    replay: { type: "string" },
    brief: { type: "boolean", default: false },
    shrink: { type: "boolean", default: false },
    "keep-going": { type: "boolean", default: false },
  },
});
const seed = integer(values.replay);
if (seed !== undefined) await replay(seed, values.shrink);
else {
  await run({
    range: { from: integer(values.from) ?? 1, count: integer(values.seeds) ?? 1000 },
    goOn: values["keep-going"] ? "afterFailures" : "untilFailure",
    brief: values.brief,
  });
}
