import { inLanes } from "../support/lanes.ts";
import { kindOf, type Point } from "../support/points.ts";
import { tableOf } from "../support/table.ts";
import { type Crash, crashAgainAndAgain, crashAt, pointsOf } from "./crash.ts";
import type { Story } from "./stories.ts";

/** Several crashes of one story, one process after the other. */
export type Chain = Awaited<ReturnType<typeof crashAgainAndAgain>>;

/** How many Pi processes run at once: a machine has about two cores. */
const LANES = 3;

/** How many processes of a chain die. */
const DEATHS = 3;

/** Which points of a story are tried. */
export type Selection = (points: readonly Point[]) => readonly Point[];

/** Every point. */
export const everyPoint: Selection = (points) => points;

/** The last point of each kind: where most of the story has happened. */
export const eachKindOnce: Selection = (points) => [...new Map(points.map((point) => [kindOf(point), point])).values()];

/** Crashes each story at its selected points. */
export async function surveyCrashes(
  stories: readonly Story[],
  options: { readonly select: Selection; readonly onCrash?: (crash: Crash) => void },
): Promise<readonly Crash[]> {
  const plans = await inLanes({ items: stories, lanes: LANES }, async (story) =>
    options.select(await pointsOf(story)).map((point) => ({ story, point })),
  );
  return inLanes({ items: plans.flat(), lanes: LANES }, async ({ story, point }) => {
    const first = await crashAt(story, point);
    // On a busy machine a step may run out of time before its turn has begun, and the points of the turn are not reached.
    const crash = first.state === undefined ? await crashAt(story, point) : first;
    options.onCrash?.(crash);
    return crash;
  });
}

/** Lets each story crash several times in a row, at points that chance selects; once for each round. */
export async function surveyChains(
  stories: readonly Story[],
  options: { readonly rounds: number; readonly random: () => number },
): Promise<readonly Chain[]> {
  const MOST_POINTS = 50;
  const items = stories.flatMap((story) =>
    Array.from({ length: options.rounds }, () => ({
      story,
      ordinals: Array.from({ length: DEATHS }, () => 1 + Math.floor(options.random() * MOST_POINTS)),
    })),
  );
  return inLanes({ items, lanes: LANES }, ({ story, ordinals }) => crashAgainAndAgain(story, ordinals));
}

/** The crashes by story. */
export function storiesTable(crashes: readonly Crash[]): string {
  return tableOf([
    ["Story", "Points", "Restarts", "Messages", "Violations"],
    ...grouped(crashes, ({ story }) => story.name).map(([name, group]) => [name, group.length, ...sums(group)]),
    ["in all", crashes.length, ...sums(crashes)],
  ]);
}

/** The crashes by what was durable when the process died, and what became of it. */
export function statesTable(crashes: readonly Crash[]): string {
  const groups = grouped(crashes, ({ story, state }) => `${story.name}/${state}`);
  return tableOf([
    ["Story", "Durable at death", "Points", "In the end"],
    ...groups.flatMap(([, group]) =>
      group
        .slice(0, 1)
        .map(({ story, state, fates }) => [
          story.name,
          state ?? "did not die",
          group.length,
          fates.join(", ") || "nothing is owed",
        ]),
    ),
  ]);
}

/** The chains of crashes by story. */
export function chainsTable(chains: readonly Chain[]): string {
  return tableOf([
    ["Story", "Rounds", "Restarts", "Messages", "Violations"],
    ...grouped(chains, ({ story }) => story.name).map(([name, group]) => [name, group.length, ...sums(group)]),
    ["in all", chains.length, ...sums(chains)],
  ]);
}

/** The violations of a crash or a chain, each as a line. */
export function violationLines(crash: Crash | Chain): readonly string[] {
  const where = "point" in crash ? ` at "${crash.point}" (${crash.state ?? "did not die"})` : "";
  return crash.violations.map(
    (violation) => `${crash.story.name}${where}: ${violation}; in the end: ${crash.fates.join(", ") || "nothing"}`,
  );
}

function sums(group: readonly Pick<Crash, "restarts" | "messages" | "violations">[]): readonly number[] {
  const sum = (of: (crash: (typeof group)[number]) => number): number =>
    group.reduce((total, one) => total + of(one), 0);
  return [sum(({ restarts }) => restarts), sum(({ messages }) => messages), sum(({ violations }) => violations.length)];
}

function grouped<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): readonly (readonly [string, readonly Item[]])[] {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return [...groups];
}
