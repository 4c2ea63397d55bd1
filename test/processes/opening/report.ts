import { tableOf } from "../support/table.ts";
import type { DyingResult } from "./dyingOpenings.ts";
import type { OpeningResult } from "./openTogether.ts";

/** The openings by what was there before them. */
export function openingTable(results: readonly OpeningResult[]): string {
  return tableOf([
    ["Opened at once", "Processes", "Rounds", "Overlapping", "Busy answers", "Violations"],
    ...results.map(({ beginning, processes, rounds, overlaps, busyAnswers, violations }) => [
      beginning,
      processes,
      rounds,
      overlaps,
      busyAnswers,
      violations.length,
    ]),
  ]);
}

/** What is not as it must be, in sentences. */
export function openingViolations(results: readonly OpeningResult[]): readonly string[] {
  return results.flatMap(({ beginning, processes, violations }) =>
    violations.map((violation) => `${processes} processes from ${beginning}, ${violation}`),
  );
}

/** The openings that were killed, by what was there before them. */
export function dyingTable(results: readonly DyingResult[]): string {
  return tableOf([
    ["Killed while opening", "Points", "Violations"],
    ...results.map(({ beginning, points, violations }) => [beginning, points, violations.length]),
  ]);
}

/** What is not as it must be, in sentences. */
export function dyingViolations(results: readonly DyingResult[]): readonly string[] {
  return results.flatMap(({ beginning, violations }) =>
    violations.map((violation) => `killed while opening ${beginning}, ${violation}`),
  );
}
