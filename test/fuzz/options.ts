import { parseArgs } from "node:util";

export const USAGE = `Usage: npm run fuzz -- [--runs N] [--seed S] [--workers W]
       npm run fuzz -- --replay SEED

  --runs N       how many documents are judged, in all; 100,000 by default
  --seed S       where the seeds begin, 1 by default; each stands for 500 documents
  --workers W    how many threads judge, 2 by default; it changes no result
  --replay SEED  judges the documents of one seed again, as a violation names it`;

/** What a run of the fuzzer is asked for. */
export interface FuzzOptions {
  readonly runs: number;
  readonly seed: number;
  readonly workers: number;
  readonly replay: number | undefined;
}

const LAST_SEED = 0x7fffffff;

/** Reads the arguments. Throws a sentence for one that is none. */
export function readOptions(args: readonly string[]): FuzzOptions | "help" {
  const { values } = parseArgs({
    args: [...args],
    options: {
      runs: { type: "string", default: "100000" },
      seed: { type: "string", default: "1" },
      workers: { type: "string", default: "2" },
      replay: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return "help";
  return {
    runs: wholeNumber("runs", values.runs, 1, 1_000_000_000),
    seed: wholeNumber("seed", values.seed, 0, LAST_SEED),
    workers: wholeNumber("workers", values.workers, 1, 64),
    replay: values.replay === undefined ? undefined : wholeNumber("replay", values.replay, 0, LAST_SEED),
  };
}

function wholeNumber(name: string, text: string, min: number, max: number): number {
  const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw new Error(`--${name} must be a whole number from ${min} to ${max}, not ${JSON.stringify(text)}.`);
}
