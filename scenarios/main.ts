// `npm start`: every row of the specification's event table, live on real Pi with a scripted model.
import { parseArgs } from "node:util";
import { SCENARIOS } from "./all.ts";
import { type Play, playAll } from "./play.ts";
import { detailsOf, isWrong, jsonOf, keptOf, listOf, tableOf } from "./report.ts";

const USAGE = `Usage: npm start -- [--only NAME] [--list] [--keep] [--json]

  --only NAME  plays one scenario, and shows what happened when and what it left
  --list       lists the scenarios
  --keep       leaves the temporary projects behind, and says where they are
  --json       prints JSON`;

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    list: { type: "boolean", default: false },
    keep: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

process.exitCode = await main();

async function main(): Promise<number> {
  if (values.help || values.list) {
    console.log(values.help ? USAGE : listOf(SCENARIOS));
    return 0;
  }
  const scenarios = SCENARIOS.filter(({ name }) => values.only === undefined || name === values.only);
  if (scenarios.length === 0) {
    console.error(`There is no scenario "${values.only}"; --list names them.`);
    return 2;
  }
  const plays = await playAll(scenarios, { keep: values.keep, onPlay: () => tick(".") });
  tick("\n");
  console.log(values.json ? jsonOf(plays) : textOf(plays));
  return plays.some(isWrong) ? 1 : 0;
}

/** Shows a person at a terminal that something goes on. */
function tick(mark: string): void {
  if (process.stderr.isTTY && !values.json) process.stderr.write(mark);
}

function textOf(plays: readonly Play[]): string {
  const [first] = plays;
  const text = values.only !== undefined && first !== undefined ? detailsOf(first) : tableOf(plays);
  return values.keep ? `${keptOf(plays)}\n\n${text}` : text;
}
