/** What a figure is held to; `printed` figures are only shown. */
export type Bar = { readonly kind: "atMost" | "atLeast"; readonly value: number } | { readonly kind: "printed" };

export const printed: Bar = { kind: "printed" };

export function atMost(value: number): Bar {
  return { kind: "atMost", value };
}

export function atLeast(value: number): Bar {
  return { kind: "atLeast", value };
}

/** Does one side of a pair once and says what it cost (or reached), for one operation. */
export type Side = () => number | Promise<number>;

/** Two sides that are measured in turns. The figure is a statistic of the rounds: by how much they differ. */
export interface Comparison {
  /** What tells this comparison from the others of its row; "" where there is one. */
  readonly name: string;
  readonly bar: Bar;
  /** The unit of what the sides return. */
  readonly unit: "ns" | "bytes" | "per second";
  /** How the two sides of a round become one figure. */
  readonly figure: "ratio" | "difference";
  /** How often a side does its operation in one round. */
  readonly operations: number;
  readonly measured: Side;
  readonly baseline: Side;
  /** The least number of rounds, where a round is too dear for the usual one. */
  readonly rounds?: number;
  /** Rounds before the first one that counts. Default 3. */
  readonly warmUps?: number;
}

/** A size that is the same in every round, with what it is compared with where that says something. */
export interface Size {
  readonly name: string;
  readonly bytes: number;
  readonly baselineBytes?: number;
}

/** What a row measures, and what is left to do afterwards. */
export interface Prepared {
  readonly comparisons?: readonly Comparison[];
  readonly sizes?: readonly Size[];
  readonly close?: () => void | Promise<void>;
}

/** One row of the benchmark: a file of bench/rows/, which names it. */
export interface Row {
  /** What is measured. */
  readonly what: string;
  /** What it is measured against. */
  readonly against: string;
  /** Prepares the measurement in a folder of its own on a real disk. */
  readonly prepare: (folder: string) => Prepared | Promise<Prepared>;
}
