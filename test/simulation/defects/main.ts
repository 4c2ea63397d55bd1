import { parseArgs } from "node:util";
import { type Defect, withDefect } from "./defect.ts";
import { DEFECTS } from "./defects.ts";
import { ALL_DETECTORS, type Area, DETECTORS } from "./detectors.ts";
import { type Catch, hunt, inParallel, passAll } from "./hunt.ts";
import { sourceOf } from "./patchedCopy.ts";
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

/** The defects that must be written anew, because what they change has changed. */
function staleAmong(tasks: readonly Task[]): readonly string[] {
  return tasks.flatMap(({ defect }) => {
    try {
      withDefect(sourceOf(defect), defect);
      return [];
    } catch (error) {
      return [String(error)];
    }
  });
}

/** Whether every detector passes the copy without a defect. */
async function isProven(): Promise<boolean> {
  const verdicts = await passAll(ALL_DETECTORS);
  for (const [{ name }, verdict] of verdicts) {
    say(`no defect: the ${name} ${verdict.status === "passed" ? "passes" : "fails"} (${verdict.seconds.toFixed(0)} s)`);
    if (verdict.status === "caught") say(`  violated: ${verdict.rule}`);
    if (verdict.status === "broken") say(verdict.output);
  }
  return verdicts.every(([, { status }]) => status === "passed");
}

async function huntAll(tasks: readonly Task[]): Promise<number> {
  const caught: Catch[] = [];
  const work = async ({ area, defect }: Task): Promise<void> => {
    const outcome = await hunt(defect, DETECTORS[area]);
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

const { values } = parseArgs({ options: { only: { type: "string" }, unproven: { type: "boolean", default: false } } });
const tasks = tasksNamed(values.only?.split(","));
const stale = staleAmong(tasks);
if (tasks.length === 0) {
  process.stderr.write(`${USAGE}\n`);
  process.exitCode = 2;
} else if (stale.length > 0) {
  process.stderr.write(`${stale.join("\n")}\n`);
  process.exitCode = 1;
} else if (values.unproven || (await isProven())) {
  process.exitCode = await huntAll(tasks);
} else {
  say("A detector that fails without a defect proves nothing of any defect.");
  process.exitCode = 1;
}
