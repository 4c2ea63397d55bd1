import type { Bar } from "./row.ts";
import type { Estimate } from "./statistics.ts";

/** Whether a figure meets its bar; "unsure" where the interval holds the bar, whatever side the median is on. */
export interface Verdict {
  readonly met: boolean | undefined;
  readonly unsure: boolean;
}

/** Holds the median to the bar. A printed figure is held to nothing. */
export function judge(bar: Bar, { median, low, high }: Estimate): Verdict {
  if (bar.kind === "printed") return { met: undefined, unsure: false };
  const met = bar.kind === "atMost" ? median <= bar.value : median >= bar.value;
  return { met, unsure: low <= bar.value && bar.value <= high };
}
