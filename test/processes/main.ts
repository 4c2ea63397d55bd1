// `npm run processes`: real processes that crash, contend and open stores at once, in full numbers.
import { Option } from "commander";
import { devCommand, runDevCommand, wholeNumber } from "../../dev/devCommand.ts";
import { contend } from "./contention/arena.ts";
import { contentionTable, contentionViolations } from "./contention/report.ts";
import { STORIES } from "./killPoints/stories.ts";
import {
  chainsTable,
  everyPoint,
  statesTable,
  storiesTable,
  surveyChains,
  surveyCrashes,
  violationLines,
} from "./killPoints/survey.ts";
import { openAndDie } from "./opening/dyingOpenings.ts";
import { openTogether } from "./opening/openTogether.ts";
import { dyingTable, dyingViolations, openingTable, openingViolations } from "./opening/report.ts";
import { randomFrom } from "./support/random.ts";

interface Options {
  readonly only?: string;
  readonly story?: string;
  readonly chains: number;
  readonly seed: number;
  readonly intents: number;
  readonly sessions: number;
  readonly workers: number;
  readonly kills: number;
  readonly rounds: number;
}

/** Runs a part, prints what it measured, and returns the violations that it found. */
type Part = (options: Options) => Promise<readonly string[]>;

const PARTS: Readonly<Record<string, Part>> = { crashes, chains, contention, opening };

const DOES = `Lets real processes crash, contend and open stores at once, in full numbers.

Parts:
  crashes     kill -9 at every point of every story, then a restart
  chains      three kills in a row for each story, at points that chance selects
  contention  processes over the intents of many sessions, some of them killed on the way
  opening     two processes, and then --workers, open the same new store at once;
              and one process that is killed at every point of an opening`;

async function main(options: Options): Promise<number> {
  const violations: string[] = [];
  for (const [name, part] of Object.entries(PARTS)) {
    if (options.only !== undefined && name !== options.only) continue;
    const startedAt = performance.now();
    violations.push(...(await part(options)));
    print(`\n${name}: ${Math.round((performance.now() - startedAt) / 1000)} s\n`);
  }
  print([...violations, `${violations.length} violations`].join("\n"));
  return violations.length === 0 ? 0 : 1;
}

async function crashes({ story }: Options): Promise<readonly string[]> {
  const found = await surveyCrashes(storiesNamed(story), { select: everyPoint, onCrash: () => tick(".") });
  tick("\n");
  print(`${storiesTable(found)}\n\n${statesTable(found)}`);
  return found.flatMap(violationLines);
}

async function chains({ story, chains: rounds, seed }: Options): Promise<readonly string[]> {
  const found = await surveyChains(storiesNamed(story), { rounds, random: randomFrom(seed) });
  print(chainsTable(found));
  return found.flatMap(violationLines);
}

async function contention({ intents, sessions, workers, kills }: Options): Promise<readonly string[]> {
  const result = await contend({ intents, sessions, workers, kills, deadlineMs: 1_800_000 });
  print(contentionTable(result));
  return contentionViolations(result, intents);
}

async function opening({ rounds, workers }: Options): Promise<readonly string[]> {
  const two = await openTogether({ processes: 2, rounds });
  const results = [...two, ...(await openTogether({ processes: workers, rounds }))];
  const deaths = await openAndDie({ everyNth: 1 });
  print(`${openingTable(results)}\n\n${dyingTable(deaths)}`);
  return [...openingViolations(results), ...dyingViolations(deaths)];
}

function storiesNamed(story: string | undefined): typeof STORIES {
  return STORIES.filter(({ name }) => story === undefined || name === story);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Shows a person at a terminal that something goes on. */
function tick(mark: string): void {
  if (process.stderr.isTTY) process.stderr.write(mark);
}

const fromOne = wholeNumber({ from: 1 });
const fromZero = wholeNumber({ from: 0 });

const command = devCommand({
  call: "npm run processes",
  does: DOES,
  examples: [
    { line: "npm run processes", does: "all parts" },
    { line: "npm run processes -- --only crashes --story presents", does: "every kill of one story" },
    { line: "npm run processes -- --only contention --intents 500 --workers 4", does: "a quick look" },
  ],
})
  .addOption(new Option("--only <PART>", "one part alone").choices(Object.keys(PARTS)))
  .addOption(
    new Option("--story <NAME>", "for crashes and chains: one story alone").choices(STORIES.map(({ name }) => name)),
  )
  .option("--chains <COUNT>", "for chains: how many there are of each story", fromOne, 5)
  .option("--seed <SEED>", "for chains: what chance begins with", fromZero, 1)
  .option("--intents <COUNT>", "for contention: how many intents there are", fromOne, 5000)
  .option("--sessions <COUNT>", "for contention: how many sessions they belong to", fromOne, 50)
  .option("--workers <COUNT>", "for contention and opening: how many processes run at once", fromOne, 8)
  .option("--kills <COUNT>", "for contention: how many processes are killed", fromZero, 24)
  .option("--rounds <COUNT>", "for opening: how often a store is opened", fromOne, 20);

await runDevCommand(command, main);
