import type { Command } from "commander";
import { devCommand, wholeNumber } from "../../dev/devCommand.ts";

/** What a run of the fuzzer is asked for. */
export interface FuzzOptions {
  readonly runs: number;
  readonly seed: number;
  readonly workers: number;
  readonly replay?: number;
}

const seed = wholeNumber({ from: 0, to: 0x7fffffff });

/** `npm run fuzz` with its options, which are FuzzOptions. */
export function fuzzCommand(): Command {
  return devCommand({
    call: "npm run fuzz",
    does: "Judges random and mutated documents for every contract; all who judge them must agree.",
    examples: [
      { line: "npm run fuzz -- --runs 1000000", does: "ten times as many as usual" },
      { line: "npm run fuzz -- --seed 5000", does: "other documents" },
      { line: "npm run fuzz -- --replay 7", does: "once more what a violation names" },
    ],
  })
    .option(
      "--runs <COUNT>",
      "how many documents are judged, in all",
      wholeNumber({ from: 1, to: 1_000_000_000 }),
      100_000,
    )
    .option("--seed <SEED>", "where the seeds begin; each stands for 500 documents", seed, 1)
    .option("--workers <COUNT>", "how many threads judge; it changes no result", wholeNumber({ from: 1, to: 64 }), 2)
    .option("--replay <SEED>", "judge the documents of one seed alone, as a violation names it", seed);
}
