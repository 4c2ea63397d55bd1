import { parseArgs } from "node:util";
import { explore } from "./explore.ts";
import { PLANS } from "./plans.ts";
import type { WorldPlan } from "./smallWorld.ts";
import { report } from "./story.ts";
import { WorldFiles } from "./worldFiles.ts";

const USAGE = `npm run simulate:small -- [--depth N] [--world NAME]

  --depth N      how many steps a path has at most; by default so many that each world takes a few seconds
  --world NAME   one world alone: ${PLANS.map(({ name }) => name).join(", ")}`;

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

const { values } = parseArgs({ options: { depth: { type: "string" }, world: { type: "string" } } });
const depth = values.depth === undefined ? undefined : Number(values.depth);
const plans = PLANS.filter(({ name }) => values.world === undefined || name === values.world);
if (plans.length === 0 || (depth !== undefined && !(Number.isInteger(depth) && depth >= 0))) {
  process.stderr.write(`${USAGE}\n`);
  process.exitCode = 2;
} else {
  process.exitCode = exploreAll(plans, depth);
}
