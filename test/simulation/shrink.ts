import fc from "fast-check";
import { playSchedule } from "./playSchedule.ts";
import { SCHEDULES, type Schedule } from "./schedule.ts";
import type { SimulationFolder } from "./world/simulationFolder.ts";

/** How many smaller schedules are tried. */
const MOST_TRIES = 300;

/** Looks for the smallest schedule that still breaks the same rule. */
export async function shrink(folder: SimulationFolder, schedule: Schedule, invariant: string): Promise<Schedule> {
  const { seed } = schedule;
  let tries = 0;
  const property = fc.asyncProperty(SCHEDULES, async (candidate) => {
    tries += 1;
    if (tries > MOST_TRIES) return;
    const { violation } = await playSchedule(folder, { ...candidate, seed });
    if (violation?.invariant === invariant) throw new Error(violation.sentence);
  });
  const { setup, actions } = schedule;
  const { counterexample } = await fc.check(property, { seed, numRuns: 1, examples: [[{ setup, actions }]] });
  return { ...schedule, ...counterexample?.[0] };
}
