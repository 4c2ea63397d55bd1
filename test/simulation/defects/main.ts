import { parseArgs } from "node:util";
import { sentenceOf } from "../../../src/turns/diagnostics.ts";
import type { Defect } from "./defect.ts";
import { DEFECTS } from "./defects.ts";
import { detect } from "./detector.ts";
import { ALL_DETECTORS, type Area, DETECTORS } from "./detectors.ts";
import { type Catch, hunt, inParallel } from "./hunt.ts";
import { PatchedCopy } from "./patchedCopy.ts";
import { tableOf } from "./table.ts";

const USAGE = `npm run simulate:defects -- [--only NAME[,NAME…]] [--unproven]

  --only NAME   only these defects, or the area of this name: ${Object.keys(DEFECTS).join(", ")}
  --unproven    does not first show that the copy without a defect passes`;

/** How many copies run at a time: one for each core that the project counts on. */
const LANES = 2;

interface Task {
  readonly area: Area;
  readonly defect: Defect;
}

const say = (text: string): boolean => process.stdout.write(`${text}\n`);

function tasksNamed(names: readonly string[] | undefined): readonly Task[] {
  const all = (Object.keys(DEFECTS) as Area[]).flatMap((area) => DEFECTS[area].map((defect) => ({ area, defect })));
  return all.filter(({ area, defect }) => names === undefined || names.includes(area) || names.includes(defect.name));
}

/** What is wrong with the defects that must be written anew, because what they change has changed. */
function staleAmong(tasks: readonly Task[], base: PatchedCopy): readonly string[] {
  return tasks.flatMap(({ defect }) => {
    try {
      base.withDefect(defect);
      return [];
    } catch (error) {
      return [sentenceOf(error)];
    }
  });
}

/** Whether every detector passes the copy without a defect: else its catches would mean nothing. */
async function isProven(base: PatchedCopy): Promise<boolean> {
  let proven = true;
  for (const detector of ALL_DETECTORS) {
    const verdict = await detect(detector, base.root);
    const passes = verdict.status === "passed";
    say(`no defect: the ${detector.name} ${passes ? "passes" : "fails"} (${verdict.seconds.toFixed(0)} s)`);
    if (verdict.status === "caught") say(`  violated: ${verdict.rule}`);
    if (verdict.status === "broken") say(verdict.output);
    proven &&= passes;
  }
  return proven;
}

async function huntAll(tasks: readonly Task[], base: PatchedCopy): Promise<number> {
  const caught: Catch[] = [];
  const work = async ({ area, defect }: Task): Promise<void> => {
    const outcome = await hunt(defect, { base, detectors: DETECTORS[area] });
    caught.push(outcome);
    if (outcome.status === "broken") say(`${defect.name} cannot be judged:\n${outcome.found}`);
    else say(`${outcome.status}: ${defect.name} (${caught.length} of ${tasks.length})`);
  };
  await inParallel(tasks, { lanes: LANES, work });
  const inOrder = tasks.flatMap(({ defect }) => caught.find((outcome) => outcome.defect === defect) ?? []);
  say(`\n${tableOf(inOrder)}`);
  const count = (status: Catch["status"]): number => caught.filter((outcome) => outcome.status === status).length;
  const broken = count("broken") === 0 ? "" : `, ${count("broken")} not judged`;
  say(`\n${tasks.length} defects, ${count("caught")} caught, ${count("missed")} missed${broken}`);
  return count("caught") === tasks.length ? 0 : 1;
}

/** Returns the status to exit with. */
async function main(tasks: readonly Task[], unproven: boolean): Promise<number> {
  // One copy is the origin of all the others, so that they do not change with the working tree.
  const base = new PatchedCopy();
  try {
    const stale = staleAmong(tasks, base);
    for (const sentence of stale) say(sentence);
    if (stale.length > 0) return 1;
    if (unproven || (await isProven(base))) return await huntAll(tasks, base);
    say("A detector that fails without a defect proves nothing of any defect.");
    return 1;
  } finally {
    base.remove();
  }
}

const { values } = parseArgs({ options: { only: { type: "string" }, unproven: { type: "boolean", default: false } } });
const tasks = tasksNamed(values.only?.split(","));
if (tasks.length === 0) {
  process.stderr.write(`${USAGE}\n`);
  process.exitCode = 2;
} else {
  process.exitCode = await main(tasks, values.unproven);
}
