import type { Comparison, Side } from "./row.ts";
import { type Estimate, estimate, median } from "./statistics.ts";

/** What the rounds of a comparison came to. */
export interface Outcome {
  readonly rounds: number;
  /** The figure of the comparison: the median over the rounds, with its interval. */
  readonly figure: Estimate;
  /** What each side alone came to in the middle; the machine's load is in it. */
  readonly measured: number;
  readonly baseline: number;
}

const WARM_UPS = 3;

/**
 * Measures a pair in turns. Each round does both sides, the first of them in turn, so that whatever else the machine
 * does at that moment, and whatever the side before left behind, meets both alike; only the figures of rounds are compared.
 */
export async function compare(comparison: Comparison, rounds: number): Promise<Outcome> {
  const { measured, baseline, figure, warmUps = WARM_UPS } = comparison;
  for (let round = 0; round < warmUps; round += 1) await inTurns({ measured, baseline, round });
  const pairs: (readonly [number, number])[] = [];
  for (let round = 0; round < rounds; round += 1) pairs.push(await inTurns({ measured, baseline, round }));
  return {
    rounds,
    figure: estimate(pairs.map(([ours, theirs]) => (figure === "ratio" ? ours / theirs : ours - theirs))),
    measured: median(pairs.map(([ours]) => ours)),
    baseline: median(pairs.map(([, theirs]) => theirs)),
  };
}

async function inTurns(turn: {
  readonly measured: Side;
  readonly baseline: Side;
  readonly round: number;
}): Promise<readonly [number, number]> {
  if (turn.round % 2 === 0) return [await turn.measured(), await turn.baseline()];
  const theirs = await turn.baseline();
  return [await turn.measured(), theirs];
}
