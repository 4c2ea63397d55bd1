import { fileURLToPath } from "node:url";
import { type ProcessEnd, ProcessGroup } from "../../../scenarios/support/processGroup.ts";
import { sessionFiles } from "../../../scenarios/support/sessionFile.ts";
import { writeWorkflows, writeWorkflowText } from "../../../scenarios/support/workflows.ts";
import { createWorld, type World } from "../../../scenarios/support/world.ts";
import type { Point } from "../support/points.ts";
import { type Order, PERIODS, type Report } from "./order.ts";
import { type DeathState, deathState, type Fate, PROMISES } from "./promises.ts";
import { type Remains, readRemains } from "./remains.ts";
import type { Story } from "./stories.ts";

/** A story with a crash in it: where and in which state the process died, and what became of everything. */
export interface Crash {
  readonly story: Story;
  readonly point: Point;
  /** Undefined when the process did not die there. */
  readonly state: DeathState | undefined;
  readonly fates: readonly Fate[];
  readonly messages: number;
  readonly restarts: number;
  /** What is not as it must be, in sentences. */
  readonly violations: readonly string[];
}

const PROCESS = fileURLToPath(new URL("./piProcess.ts", import.meta.url));

/** The points that a story's process reaches when nothing befalls it, in their order. */
export async function pointsOf(story: Story): Promise<readonly Point[]> {
  return inWorld(story, async (world) => {
    await beginStory(world, story);
    const { points, complaints } = await lifeToTheEnd(world, { story: story.name });
    if (complaints.length > 0) throw new Error(`${story.name}: ${complaints.join("; ")}`);
    return points;
  });
}

/** Kills the story's process at a point, and lets another one settle what it left. */
export async function crashAt(story: Story, point: Point): Promise<Crash> {
  return inWorld(story, async (world) => {
    await beginStory(world, story);
    const end = await start(world, { story: story.name, dieAt: point });
    const died = readRemains(world);
    const state = end.signal === "SIGKILL" ? deathState(died) : undefined;
    const { complaints } = await lifeToTheEnd(world, { story: story.name }).catch((error: Error) => ({
      complaints: [error.message],
    }));
    const remains = readRemains(world);
    const fates = fatesOf(remains);
    return {
      story,
      point,
      state,
      fates,
      messages: remains.delivered.length,
      restarts: 1,
      violations: [
        ...(state === undefined ? [`the process did not die there: ${end.stderr}`] : []),
        ...died.damages,
        ...complaints,
        ...flawsOf(remains),
        ...(state === undefined ? [] : brokenPromises(story, state, fates)),
      ],
    };
  });
}

/** Kills one process of the story after the other, each at the n-th point that it reaches, and lets a last one settle. */
export async function crashAgainAndAgain(
  story: Story,
  ordinals: readonly number[],
): Promise<Omit<Crash, "point" | "state">> {
  return inWorld(story, async (world) => {
    await beginStory(world, story);
    const damages: string[] = [];
    for (const dieAt of ordinals) {
      await start(world, { story: story.name, dieAt });
      damages.push(...readRemains(world).damages);
    }
    const { complaints } = await lifeToTheEnd(world, { story: story.name }).catch((error: Error) => ({
      complaints: [error.message],
    }));
    const remains = readRemains(world);
    return {
      story,
      fates: fatesOf(remains),
      messages: remains.delivered.length,
      restarts: ordinals.length,
      violations: [...damages, ...complaints, ...flawsOf(remains)],
    };
  });
}

/** What must hold of any story that has settled: every intent is resolved, and has exactly one message. */
function flawsOf({ intents, delivered, damages }: Remains): readonly string[] {
  const copies = (intentId: string): number => delivered.filter((id) => id === intentId).length;
  const known = new Set(intents.map(({ intentId }) => intentId));
  return [
    ...damages,
    ...intents.filter(({ resolvedAt }) => resolvedAt === null).map(({ cause }) => `an intent (${cause}) is unresolved`),
    ...intents
      .filter(({ intentId }) => copies(intentId) !== 1)
      .map(({ cause, intentId }) => `an intent (${cause}) has ${copies(intentId)} messages`),
    ...delivered.filter((id) => !known.has(id)).map((id) => `a message carries the id of no intent: ${id}`),
  ];
}

function fatesOf({ intents }: Remains): readonly Fate[] {
  return intents.map(({ cause, resolution }): Fate => `${cause} by ${resolution ?? "nothing"}`);
}

function brokenPromises({ name }: Story, state: DeathState, fates: readonly Fate[]): readonly string[] {
  const promised = PROMISES[name]?.[state];
  if (promised === undefined) return [`no process may die in the state "${state}"`];
  if ([...fates].sort().join() === [...promised].sort().join()) return [];
  return [`promised was: ${promised.join(", ") || "nothing"}`];
}

async function inWorld<Result>({ workflow }: Story, work: (world: World) => Promise<Result>): Promise<Result> {
  const world = createWorld({ env: PERIODS });
  try {
    if ("brokenText" in workflow) writeWorkflowText(world, workflow.name, workflow.brokenText);
    else writeWorkflows(world, workflow);
    return await work(world);
  } finally {
    await world.dispose();
  }
}

/** Lets the story's first process live and die, where the story is about the second. */
async function beginStory(world: World, { name, firstProcessDiesAt: dieAt }: Story): Promise<void> {
  if (dieAt === undefined) return;
  const { signal, stderr } = await start(world, { story: name, dieAt });
  if (signal !== "SIGKILL") throw new Error(`The first process of ${name} did not die: ${stderr}`);
}

async function lifeToTheEnd(world: World, order: Pick<Order, "story">): Promise<Report> {
  const { status, stdout, stderr } = await start(world, order);
  if (status !== 0) throw new Error(`A process that was to settle everything failed: ${stderr}`);
  return JSON.parse(stdout) as Report;
}

/** Starts Pi in the world's session, or in a new one where there is none yet. */
async function start(world: World, order: Pick<Order, "story" | "dieAt">): Promise<ProcessEnd> {
  const { root, projectDir, agentDir, sessionDir, controllerDir, env } = world;
  const [resume] = sessionFiles(sessionDir);
  const places = { root, projectDir, agentDir, sessionDir, controllerDir };
  const full: Order = { ...order, world: places, ...(resume === undefined ? {} : { resume }) };
  const args = [PROCESS, JSON.stringify(full)];
  return new ProcessGroup({ command: process.execPath, args, cwd: projectDir, env }).ended;
}
