/** A median with the interval that holds the true one with at least 95 % confidence. */
export interface Estimate {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

const CONFIDENCE = 0.95;

/** The middle value, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = inOrder(values);
  const upper = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? at(sorted, upper) : (at(sorted, upper - 1) + at(sorted, upper)) / 2;
}

/**
 * The median and its interval by order statistics: from the k-th smallest to the k-th largest value, with the greatest
 * k that keeps the confidence. It assumes nothing about how the values are distributed. Below six values no interval
 * keeps the confidence; the extremes stand for it.
 */
export function estimate(values: readonly number[]): Estimate {
  const sorted = inOrder(values);
  const outside = Math.max(0, ranksOutside(sorted.length));
  return { median: median(sorted), low: at(sorted, outside), high: at(sorted, sorted.length - 1 - outside) };
}

/** How many values at each end may be left out: while fewer coin tosses than that come up heads in at most 2.5 %. */
function ranksOutside(count: number): number {
  let tail = 0.5 ** count;
  let term = tail;
  let rank = 0;
  while (tail <= (1 - CONFIDENCE) / 2) {
    rank += 1;
    term *= (count - rank + 1) / rank;
    tail += term;
  }
  return rank - 1;
}

function inOrder(values: readonly number[]): readonly number[] {
  if (values.length === 0) throw new Error("A median needs at least one value.");
  return [...values].sort((a, b) => a - b);
}

function at(values: readonly number[], index: number): number {
  return values[index] ?? Number.NaN;
}
