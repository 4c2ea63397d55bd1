import { playSchedule } from "./playSchedule.ts";
import { scheduleOf } from "./schedule.ts";
import { EMPTY_TALLY, type Tally, withOutcome } from "./summary.ts";
import type { SimulationFolder } from "./world/simulationFolder.ts";

/** Seeds from `from` on, `count` of them. */
export interface SeedRange {
  readonly from: number;
  readonly count: number;
}

/** Whether a failure ends a simulation. */
export type GoOn = "afterFailures" | "untilFailure";

/** Plays the schedules of some seeds, one after the other; all of them, or up to the first that breaks a rule. */
export async function simulate(folder: SimulationFolder, { from, count }: SeedRange, goOn: GoOn): Promise<Tally> {
  let tally = EMPTY_TALLY;
  for (let seed = from; seed < from + count; seed += 1) {
    tally = withOutcome(tally, seed, await playSchedule(folder, scheduleOf(seed)));
    if (tally.failures.length > 0 && goOn === "untilFailure") break;
  }
  return tally;
}
