import type { Defect } from "./defect.ts";
import { type Detector, detect } from "./detector.ts";
import { PatchedCopy } from "./patchedCopy.ts";

/** What became of a defect: caught by a detector, missed by all, or not to be run at all. */
export interface Catch {
  readonly defect: Defect;
  readonly status: "caught" | "missed" | "broken";
  /** The detector that had the last word, and the rule it found broken or what it said. */
  readonly by: string;
  readonly found: string;
  readonly seconds: number;
}

/** Lets one detector after the other look at a copy with the defect, until one catches it. */
export async function hunt(
  defect: Defect,
  { base, detectors }: { readonly base: PatchedCopy; readonly detectors: readonly Detector[] },
): Promise<Catch> {
  const copy = new PatchedCopy({ of: base.root, defect });
  let seconds = 0;
  try {
    for (const detector of detectors) {
      const verdict = await detect(detector, copy.root);
      seconds += verdict.seconds;
      if (verdict.status === "passed") continue;
      const found = verdict.status === "caught" ? verdict.rule : verdict.output;
      return { defect, status: verdict.status, by: detector.name, found, seconds };
    }
    return { defect, status: "missed", by: "", found: "", seconds };
  } finally {
    copy.remove();
  }
}

/** Does work on each item, on so many at a time. */
export async function inParallel<Item>(
  items: readonly Item[],
  { lanes, work }: { readonly lanes: number; readonly work: (item: Item) => Promise<void> },
): Promise<void> {
  const waiting = [...items];
  const lane = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}
