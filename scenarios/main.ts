// `npm start`: every row of the specification's event table, live on real Pi with a scripted model.
import { InvalidArgumentError } from "commander";
import { devCommand, runDevCommand } from "../dev/devCommand.ts";
import { SCENARIOS } from "./all.ts";
import { type Play, playAll } from "./play.ts";
import { detailsOf, isWrong, jsonOf, keptOf, listOf, tableOf } from "./report.ts";

interface Options {
  readonly only?: string;
  readonly list?: boolean;
  readonly keep?: boolean;
  readonly json?: boolean;
}

async function main(options: Options): Promise<number> {
  const { only, list = false, keep = false, json = false } = options;
  if (list) {
    console.log(listOf(SCENARIOS));
    return 0;
  }
  const tick = json ? () => undefined : writeMark;
  const scenarios = SCENARIOS.filter(({ name }) => only === undefined || name === only);
  const plays = await playAll(scenarios, { keep, onPlay: () => tick(".") });
  tick("\n");
  console.log(json ? jsonOf(plays) : textOf(plays, options));
  return plays.some(isWrong) ? 1 : 0;
}

/** Shows a person at a terminal that something goes on. */
function writeMark(mark: string): void {
  if (process.stderr.isTTY) process.stderr.write(mark);
}

function textOf(plays: readonly Play[], { only, keep = false }: Options): string {
  const [first] = plays;
  const text = only !== undefined && first !== undefined ? detailsOf(first) : tableOf(plays);
  return keep ? `${keptOf(plays)}\n\n${text}` : text;
}

function scenarioName(text: string): string {
  if (SCENARIOS.some(({ name }) => name === text)) return text;
  throw new InvalidArgumentError("There is no such scenario; --list names them.");
}

const command = devCommand({
  call: "npm start",
  does: "Plays every row of the specification's event table live on real Pi, with a scripted model.",
  examples: [
    { line: "npm start", does: "all scenarios, as a table" },
    { line: "npm start -- --list", does: "which there are" },
    { line: "npm start -- --only agentCancelled", does: "one of them, with its story" },
  ],
})
  .option("--only <NAME>", "play one scenario, and show what happened when and what it left", scenarioName)
  .option("--list", "list the scenarios")
  .option("--keep", "leave the temporary projects behind, and say where they are")
  .option("--json", "print JSON");

await runDevCommand(command, main);
