// `npm run simulate:small`: every interleaving of two processes in worlds so small that all their states can be reached.
import { Option } from "commander";
import { devCommand, runDevCommand, wholeNumber } from "../../../dev/devCommand.ts";
import { explore } from "./explore.ts";
import { PLANS } from "./plans.ts";
import type { WorldPlan } from "./smallWorld.ts";
import { report } from "./story.ts";
import { WorldFiles } from "./worldFiles.ts";

interface Options {
  readonly depth?: number;
  readonly world?: string;
}

const say = (text: string): boolean => process.stdout.write(`${text}\n`);

/** Explores the worlds in turn, up to the first that breaks a rule. Returns the status to exit with. */
function exploreAll(plans: readonly WorldPlan[], depth: number | undefined): number {
  const files = new WorldFiles();
  let [states, transitions] = [0, 0];
  try {
    for (const plan of plans) {
      const started = performance.now();
      const found = explore(plan, { files, depth: depth ?? plan.quickDepth });
      say(`${report(plan, found)}\n  ${((performance.now() - started) / 1000).toFixed(1)} s`);
      if (found.violation !== undefined) return 1;
      states += found.statesByDepth.reduce((sum, count) => sum + count, 0);
      transitions += found.transitions;
    }
  } finally {
    files.close();
  }
  say(`${plans.length} worlds, ${states} states, ${transitions} transitions, 0 violations`);
  return 0;
}

function main({ depth, world }: Options): number {
  return exploreAll(
    PLANS.filter(({ name }) => world === undefined || name === world),
    depth,
  );
}

const command = devCommand({
  call: "npm run simulate:small",
  does: "Plays every interleaving of two processes in small worlds, up to the first that breaks a rule.",
  examples: [
    { line: "npm run simulate:small", does: "every world, each in a few seconds" },
    { line: "npm run simulate:small -- --world handover --depth 5", does: "one world, with longer paths" },
  ],
})
  .option(
    "--depth <STEPS>",
    "how many steps a path has at most (default: so many that each world takes a few seconds)",
    wholeNumber({ from: 0 }),
  )
  .addOption(new Option("--world <NAME>", "one world alone").choices(PLANS.map(({ name }) => name)));

await runDevCommand(command, main);
