// A process that runs real Pi with the workflow extension through a story, and dies where it was told to.

import type { ScriptedStep } from "../../../scenarios/support/scriptedModel.ts";
import { openSdkSession, type SdkSession } from "../../../scenarios/support/sdkSession.ts";
import { StoreView } from "../../../scenarios/support/storeView.ts";
import { until } from "../../../scenarios/support/until.ts";
import type { World } from "../../../scenarios/support/world.ts";
import { Points } from "../support/points.ts";
import type { Order, Report } from "./order.ts";
import { answerTo, STORIES, type StoryWorld } from "./stories.ts";
import { watchedExtension } from "./watchedPi.ts";

/** More calls than the model gets in any story. */
const MODEL_CALLS = 50;

/** How long nothing may be left to do before all counts as settled: several sync periods, in which a turn too many would show. */
const QUIET_MS = 300;

const ACTIVE: ReadonlySet<string> = new Set(["queued", "starting", "running"]);

const order = JSON.parse(process.argv[2] ?? "") as Order;
process.stdout.write(JSON.stringify(await live(order)));

async function live({ story: name, world: places, resume, dieAt }: Order): Promise<Report> {
  const story = STORIES.find((known) => known.name === name);
  if (story === undefined) throw new Error(`There is no story "${name}".`);
  const points = new Points((point) => {
    if (point === dieAt || points.reached.length === dieAt) process.kill(process.pid, "SIGKILL");
  });
  const world = openWorld(places);
  const scene: StoryWorld = { world, store: new StoreView(world) };
  const step: ScriptedStep = async (asked) => {
    const call = points.before("model");
    const answer = await answerTo(story, asked, scene);
    points.after("model", call);
    return answer;
  };
  const pi = await openSdkSession({
    world,
    steps: Array.from({ length: MODEL_CALLS }, () => step),
    factories: [watchedExtension(points)],
    ...(resume === undefined ? {} : { resume }),
  });
  if (resume === undefined) await pi.prompt("Please begin.");
  await untilSettled(pi, scene.store);
  await world.dispose();
  return { points: points.reached, complaints: pi.errors.map(({ error }) => error) };
}

/** The world that the parent made, seen from inside: this process was started in its environment. */
function openWorld(places: Order["world"]): World {
  const cleanups: (() => unknown)[] = [];
  return {
    ...places,
    env: process.env as Record<string, string>,
    enter: () => undefined,
    defer: (cleanup) => cleanups.push(cleanup),
    dispose: async () => {
      for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
    },
  };
}

/** Waits until no run is under way and no turn is owed, for so long that it is not by chance. */
async function untilSettled(pi: SdkSession, store: StoreView): Promise<void> {
  let quietSince: number | undefined;
  const isQuiet = (): boolean =>
    pi.session.isIdle &&
    !store.runs().some(({ status }) => ACTIVE.has(status)) &&
    store.intents().every(({ resolvedAt }) => resolvedAt !== null);
  const what = "the runs to end and the intents to be resolved";
  const sawInstead = (): string => JSON.stringify({ runs: store.runs(), intents: store.intents() });
  await until(
    () => {
      quietSince = isQuiet() ? (quietSince ?? performance.now()) : undefined;
      return quietSince !== undefined && performance.now() - quietSince >= QUIET_MS;
    },
    { what, sawInstead, deadlineMs: 30_000 },
  );
}
