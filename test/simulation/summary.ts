import type { Broken } from "./invariants/broken.ts";
import type { Outcome } from "./playSchedule.ts";
import { Coverage } from "./world/coverage.ts";

/** A rule that the schedule of a seed broke. */
export interface Failure extends Broken {
  readonly seed: number;
}

/** What came of many schedules; plain data, so that workers can send it. */
export interface Tally {
  readonly schedules: number;
  readonly actions: number;
  readonly failures: readonly Failure[];
  readonly coverage: Readonly<Record<string, number>>;
}

export const EMPTY_TALLY: Tally = { schedules: 0, actions: 0, failures: [], coverage: {} };

/** The tally with one more schedule in it. */
export function withOutcome(tally: Tally, seed: number, { violation, actions, coverage }: Outcome): Tally {
  const failures = violation === undefined ? [] : [{ seed, ...violation }];
  return sumOf(tally, { schedules: 1, actions, failures, coverage });
}

/** Two tallies as one, whatever their order: failures are sorted by their seeds. */
export function sumOf(one: Tally, other: Tally): Tally {
  const coverage = new Coverage();
  coverage.addAll(one.coverage);
  coverage.addAll(other.coverage);
  return {
    schedules: one.schedules + other.schedules,
    actions: one.actions + other.actions,
    failures: [...one.failures, ...other.failures].sort((a, b) => a.seed - b.seed),
    coverage: coverage.toJSON(),
  };
}

/** The tally as a person reads it. */
export function describeTally({ schedules, actions, failures, coverage }: Tally): string {
  const admitted = Object.entries(coverage)
    .filter(([name]) => name.startsWith("admitted duplicate: "))
    .reduce((sum, [, count]) => sum + count, 0);
  return [
    ...Object.entries(coverage).map(([name, count]) => `${String(count).padStart(9)}  ${name}`),
    "",
    `${schedules} schedules, ${actions} actions, ${admitted} admitted duplicates, ${failures.length} violations`,
  ].join("\n");
}
