import fc from "fast-check";
import { type ActionName, ALPHABET } from "./actions/alphabet.ts";
import { SLOTS } from "./world/world.ts";

/** One thing that happens: what, to the process in which slot, and a number from which the action takes its choices. */
export interface Action {
  readonly do: ActionName;
  readonly who: number;
  readonly n: number;
}

/** What happens to a world, in order. */
export interface Schedule {
  readonly seed: number;
  /** Decides how the first process runs, and whether timers that are due at once tick in reverse. */
  readonly setup: number;
  readonly actions: readonly Action[];
}

/** The most that an action's number can be, and one more. */
export const CHOICES = 10_000;

const FEWEST = 30;
const MOST = 90;

const name = fc.oneof(
  ...Object.entries(ALPHABET).map(([key, { weight }]) => ({ weight, arbitrary: fc.constant(key as ActionName) })),
);

/** Most things happen to the first process: what goes on long enough in one place gets far. */
const who = fc.oneof(
  { weight: 6, arbitrary: fc.constant(0) },
  { weight: 3, arbitrary: fc.constant(1) },
  { weight: 1, arbitrary: fc.constant(SLOTS - 1) },
);

const action: fc.Arbitrary<Action> = fc.record({ do: name, who, n: fc.nat(CHOICES - 1) });

function schedules(fewest: number): fc.Arbitrary<Omit<Schedule, "seed">> {
  return fc.noBias(
    fc.record({
      setup: fc.nat(CHOICES - 1),
      actions: fc.array(action, { minLength: fewest, maxLength: MOST, size: "max" }),
    }),
  );
}

const LONG_SCHEDULES = schedules(FEWEST);

/** Schedules of any length, into which a long one can be shrunk. */
export const SCHEDULES = schedules(0);

/** The schedule of a seed: always the same. */
export function scheduleOf(seed: number): Schedule {
  const [schedule] = fc.sample(LONG_SCHEDULES, { seed, numRuns: 1 });
  if (schedule === undefined) throw new Error(`The seed ${seed} yields no schedule.`);
  return { ...schedule, seed };
}
