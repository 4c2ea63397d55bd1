// `npm run processes`: real processes that crash, contend and open stores at once, in full numbers.
import { parseArgs } from "node:util";
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

const USAGE = `Usage: npm run processes -- [--only PART] [--story NAME] [--chains N] [--seed N] [--intents N] [--sessions N] [--workers N] [--kills N] [--rounds N]

Parts:
  crashes     kill -9 at every point of every story, then a restart; --story NAME takes one of
              ${STORIES.map(({ name }) => name).join(", ")}
  chains      three kills in a row for each story, at points that chance selects; --chains N of them, by --seed N
  contention  --workers N processes over --intents N of --sessions N, --kills N of them killed on the way
  opening     two processes, and then --workers N, open the same new store at once, --rounds N times;
              and one process that is killed at every point of an opening`;

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    story: { type: "string" },
    chains: { type: "string", default: "5" },
    seed: { type: "string", default: "1" },
    intents: { type: "string", default: "5000" },
    sessions: { type: "string", default: "50" },
    workers: { type: "string", default: "8" },
    kills: { type: "string", default: "24" },
    rounds: { type: "string", default: "20" },
    help: { type: "boolean", default: false },
  },
});

/** Runs a part, prints what it measured, and returns the violations that it found. */
type Part = () => Promise<readonly string[]>;

const PARTS: Readonly<Record<string, Part>> = { crashes, chains, contention, opening };

process.exitCode = await main();

async function main(): Promise<number> {
  const parts = Object.entries(PARTS).filter(([name]) => values.only === undefined || name === values.only);
  if (values.help || parts.length === 0 || stories().length === 0) {
    print(USAGE);
    return values.help ? 0 : 2;
  }
  const violations: string[] = [];
  for (const [name, part] of parts) {
    const startedAt = performance.now();
    violations.push(...(await part()));
    print(`\n${name}: ${Math.round((performance.now() - startedAt) / 1000)} s\n`);
  }
  print([...violations, `${violations.length} violations`].join("\n"));
  return violations.length === 0 ? 0 : 1;
}

async function crashes(): Promise<readonly string[]> {
  const found = await surveyCrashes(stories(), { select: everyPoint, onCrash: () => tick(".") });
  tick("\n");
  print(`${storiesTable(found)}\n\n${statesTable(found)}`);
  return found.flatMap(violationLines);
}

async function chains(): Promise<readonly string[]> {
  const found = await surveyChains(stories(), { rounds: count("chains"), random: randomFrom(count("seed")) });
  print(chainsTable(found));
  return found.flatMap(violationLines);
}

async function contention(): Promise<readonly string[]> {
  const [intents, sessions, workers, kills] = [count("intents"), count("sessions"), count("workers"), count("kills")];
  const result = await contend({ intents, sessions, workers, kills, deadlineMs: 1_800_000 });
  print(contentionTable(result));
  return contentionViolations(result, intents);
}

async function opening(): Promise<readonly string[]> {
  const rounds = count("rounds");
  const two = await openTogether({ processes: 2, rounds });
  const results = [...two, ...(await openTogether({ processes: count("workers"), rounds }))];
  const deaths = await openAndDie({ everyNth: 1 });
  print(`${openingTable(results)}\n\n${dyingTable(deaths)}`);
  return [...openingViolations(results), ...dyingViolations(deaths)];
}

function stories(): typeof STORIES {
  return STORIES.filter(({ name }) => values.story === undefined || name === values.story);
}

function count(name: "chains" | "seed" | "intents" | "sessions" | "workers" | "kills" | "rounds"): number {
  const value = Number(values[name]);
  const least = name === "seed" || name === "kills" ? 0 : 1;
  if (Number.isInteger(value) && value >= least) return value;
  throw new Error(`--${name} is "${values[name]}"; give a whole number from ${least} on.`);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Shows a person at a terminal that something goes on. */
function tick(mark: string): void {
  if (process.stderr.isTTY) process.stderr.write(mark);
}
