import { type Command, Option } from "commander";
import { collect, devCommand, wholeNumber } from "../../dev/devCommand.ts";

/** What the command was asked for. */
export interface BenchOptions {
  /** The names of the rows to run; all when empty. A name stands for all rows that begin with it. */
  readonly only: readonly string[];
  /** How often each pair is measured. */
  readonly rounds: number;
  /** Prints the names of the rows and measures nothing. */
  readonly list?: boolean;
}

/** Fewer rounds say too little about what is within a tenth. */
const LEAST_ROUNDS = 20;
const DEFAULT_ROUNDS = 30;

/** `npm run bench` with its options, which are BenchOptions. */
export function benchCommand(): Command {
  return devCommand({
    call: "npm run bench",
    does: "Measures this library against a baseline, row by row, and writes bench/results/latest.json.",
    examples: [
      { line: "npm run bench", does: "everything, some ten minutes" },
      { line: "npm run bench -- --list", does: "the rows, and what each is compared with" },
      { line: "npm run bench -- --only ensure --rounds 50", does: "the rows whose names begin so" },
    ],
  })
    .addOption(
      new Option("--only <NAME>", "only the rows whose names begin so; may be given several times")
        .argParser(collect)
        .default([], "all rows"),
    )
    .option(
      "--rounds <COUNT>",
      `how often each pair is measured, at least ${LEAST_ROUNDS}`,
      wholeNumber({ from: LEAST_ROUNDS }),
      DEFAULT_ROUNDS,
    )
    .option("--list", "list the rows, and measure nothing");
}
