import { parseArgs } from "node:util";

/** What the command was asked for. */
export interface BenchOptions {
  /** The names of the rows to run; all when empty. A name stands for all rows that begin with it. */
  readonly only: readonly string[];
  /** How often each pair is measured. */
  readonly rounds: number;
  /** Prints the names of the rows and measures nothing. */
  readonly list: boolean;
}

/** Fewer rounds say too little about what is within a tenth. */
const LEAST_ROUNDS = 20;
const DEFAULT_ROUNDS = 30;

/** Reads the arguments of `npm run bench`. Throws a sentence for those that make no sense. */
export function readOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: "string", multiple: true, default: [] },
      rounds: { type: "string", default: String(DEFAULT_ROUNDS) },
      list: { type: "boolean", default: false },
    },
  });
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < LEAST_ROUNDS) {
    throw new Error(`--rounds is ${values.rounds}; give a whole number of at least ${LEAST_ROUNDS}.`);
  }
  return { only: values.only, rounds, list: values.list };
}
