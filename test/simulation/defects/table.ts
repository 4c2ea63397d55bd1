import type { Catch } from "./hunt.ts";

const HEADER = ["defect", "caught by", "violated", "time"];

/** What became of the defects, one a line. */
export function tableOf(caught: readonly Catch[]): string {
  const rows = caught.map(({ defect, status, by, found, seconds }) => [
    defect.name,
    status === "caught" ? by : status.toUpperCase(),
    status === "caught" ? found : defect.rule,
    `${seconds.toFixed(0)} s`,
  ]);
  const lines = [HEADER, ...rows];
  const widths = HEADER.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
