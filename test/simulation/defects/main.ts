// `npm run simulate:defects`: puts deliberate defects into copies of the repository, and sees which the detectors catch.
import { devCommand, namesAmong, runDevCommand } from "../../../dev/devCommand.ts";
import { sentenceOf } from "../../../src/turns/diagnostics.ts";
import type { Defect } from "./defect.ts";
import { DEFECTS } from "./defects.ts";
import { detect } from "./detector.ts";
import { ALL_DETECTORS, type Area, DETECTORS } from "./detectors.ts";
import { type Catch, hunt, inParallel } from "./hunt.ts";
import { PatchedCopy } from "./patchedCopy.ts";
import { tableOf } from "./table.ts";

interface Options {
  /** The names of defects and of areas; all defects without it. */
  readonly only?: readonly string[];
  readonly unproven?: boolean;
}

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
async function main({ only, unproven = false }: Options): Promise<number> {
  const tasks = tasksNamed(only);
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

const AREAS = Object.keys(DEFECTS);
const NAMES = Object.values(DEFECTS).flatMap((defects) => defects.map(({ name }) => name));
const HINT = `give names of defects, as a whole run lists them, or some of the areas ${AREAS.join(", ")}`;

const command = devCommand({
  call: "npm run simulate:defects",
  does: "Puts deliberate defects into copies of the repository, one at a time, and tells which of them a detector catches.",
  examples: [
    { line: "npm run simulate:defects", does: "all defects, two at a time" },
    { line: "npm run simulate:defects -- --only store", does: "those of one area" },
    { line: "npm run simulate:defects -- --only redactionSkipped --unproven", does: "one defect, at once" },
  ],
})
  .option(
    "--only <NAMES>",
    `only these defects, or those of an area: ${AREAS.join(", ")}; commas between them (default: all)`,
    namesAmong([...AREAS, ...NAMES], HINT),
  )
  .option("--unproven", "do not first show that the copy without a defect passes");

await runDevCommand(command, main);
