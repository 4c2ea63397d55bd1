// `npm run simulate`: the whole product on a model of Pi, with schedules and faults that are drawn from seeds.
import { devCommand, runDevCommand, wholeNumber } from "../../dev/devCommand.ts";
import { playSchedule } from "./playSchedule.ts";
import { scheduleOf } from "./schedule.ts";
import { shrink } from "./shrink.ts";
import { describeTally, type Failure } from "./summary.ts";
import { simulateInParallel } from "./workers.ts";
import { SimulationFolder } from "./world/simulationFolder.ts";

interface Options {
  readonly seeds: number;
  readonly from: number;
  readonly replay?: number;
  readonly brief?: boolean;
  readonly shrink?: boolean;
  readonly keepGoing?: boolean;
}

const say = (text: string): boolean => process.stdout.write(`${text}\n`);

/** The most failures that are listed. */
const MOST_LISTED = 20;

async function replay(seed: number, shrinks: boolean): Promise<number> {
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
    return violation === undefined ? 0 : 1;
  } finally {
    folder.remove();
  }
}

async function run({ seeds, from, brief = false, keepGoing = false }: Options): Promise<number> {
  const started = performance.now();
  const tally = await simulateInParallel({ from, count: seeds }, keepGoing ? "afterFailures" : "untilFailure");
  const seconds = (performance.now() - started) / 1000;
  say(describeTally(tally));
  say(`${seconds.toFixed(1)} s, ${(tally.schedules / seconds).toFixed(1)} schedules per second`);
  const { failures } = tally;
  for (const { invariant, seed } of failures.slice(0, MOST_LISTED)) say(`violated: ${invariant} (seed ${seed})`);
  const [first] = failures;
  if (first !== undefined && !brief) await tell(first);
  return first === undefined ? 0 : 1;
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

function main(options: Options): Promise<number> {
  const { replay: seed, shrink: shrinks = false } = options;
  return seed === undefined ? run(options) : replay(seed, shrinks);
}

const number = wholeNumber({ from: 0 });

const command = devCommand({
  call: "npm run simulate",
  does: "Plays schedules and faults that are drawn from seeds on a model of Pi, up to the first that breaks a rule.",
  examples: [
    { line: "npm run simulate -- --seeds 20000 --keep-going --brief", does: "many schedules, and what they break" },
    { line: "npm run simulate -- --replay 7", does: "the story of one seed" },
    { line: "npm run simulate -- --replay 7 --shrink", does: "the core of a story that breaks a rule" },
  ],
})
  .option("--seeds <COUNT>", "how many seeds are played", number, 1000)
  .option("--from <SEED>", "the first of them", number, 1)
  .option("--keep-going", "play all of them, whatever they break")
  .option("--brief", "leave out the story of the first failure")
  .option("--replay <SEED>", "tell the story of one seed instead", number)
  .option("--shrink", "with --replay: tell the shortest story that still breaks the rule");

await runDevCommand(command, main);
