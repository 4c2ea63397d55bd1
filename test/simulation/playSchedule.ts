import { startProcess } from "./actions/person.ts";
import { playEnding } from "./ending.ts";
import type { Broken } from "./invariants/broken.ts";
import { Player } from "./player.ts";
import type { Schedule } from "./schedule.ts";
import type { SimulationFolder } from "./world/simulationFolder.ts";
import { World } from "./world/world.ts";

/** Worlds are named by their seeds; so many names there are. */
const WORLD_NAMES = 36 ** 4;

/** What came of a schedule. */
export interface Outcome {
  readonly violation: Broken | undefined;
  readonly story: string;
  /** The actions that were played. */
  readonly actions: number;
  readonly coverage: Readonly<Record<string, number>>;
}

/** Plays a schedule in a world of its own, then lets the world come to rest and asks whether anything is still owed. */
export async function playSchedule(folder: SimulationFolder, { seed, setup, actions }: Schedule): Promise<Outcome> {
  const world = new World(folder, seed % WORLD_NAMES);
  try {
    world.time.tiesReversed = setup % 2 === 1;
    startProcess(world, 0, setup >> 1);
    const player = new Player(world, actions);
    player.playAll();
    if (world.violation === undefined) playEnding(world);
    // What the tool threw comes with the next microtask.
    await undefined;
    world.judgeToolErrors();
    const { violation } = world;
    world.close();
    return { violation, story: world.story.toString(), actions: player.played, coverage: world.coverage.toJSON() };
  } finally {
    world.close();
  }
}
