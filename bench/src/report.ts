import { cpus, release, type } from "node:os";
import type { Outcome } from "./ratio.ts";
import type { Comparison, Row, Size } from "./row.ts";
import { judge } from "./verdict.ts";

/** One line of the report: a comparison that was measured, or a size. */
export type Line =
  | {
      readonly kind: "comparison";
      readonly row: string;
      readonly name: string;
      readonly comparison: Pick<Comparison, "bar" | "unit" | "figure" | "operations">;
      readonly outcome: Outcome;
    }
  | { readonly kind: "size"; readonly row: string; readonly size: Size };

/** Everything that a run measured, as the JSON file has it. */
export interface Report {
  readonly at: string;
  readonly machine: { readonly system: string; readonly cpu: string; readonly cores: number; readonly node: string };
  readonly rows: Readonly<Record<string, Pick<Row, "what" | "against">>>;
  readonly lines: readonly Line[];
  /** The bars that were missed, by their rows. */
  readonly missed: readonly string[];
}

export function reportOf(
  rows: Readonly<Record<string, Pick<Row, "what" | "against">>>,
  lines: readonly Line[],
): Report {
  const [cpu] = cpus();
  return {
    at: new Date().toISOString(),
    machine: {
      system: `${type()} ${release()}`,
      cpu: cpu?.model ?? "unknown",
      cores: cpus().length,
      node: process.version,
    },
    rows,
    lines,
    missed: lines.filter(isMissed).map(titleOf),
  };
}

/** The name of a line: that of its row, and what tells it from the row's others. */
export function titleOf(line: Line): string {
  const name = line.kind === "comparison" ? line.name : line.size.name;
  return name === "" ? line.row : `${line.row}: ${name}`;
}

function isMissed(line: Line): boolean {
  return line.kind === "comparison" && judge(line.comparison.bar, line.outcome.figure).met === false;
}
