import { type Line, titleOf } from "./report.ts";
import type { Bar, Comparison } from "./row.ts";
import { judge } from "./verdict.ts";

type Cells = readonly string[];

const HEAD: Cells = ["row", "ours", "theirs", "figure", "95 %", "bar", ""];

/** The report as one table for a terminal. */
export function tableOf(lines: readonly Line[]): string {
  const rows = [HEAD, ...lines.map(cellsOf)];
  const widths = HEAD.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)));
  const text = rows.map((cells) =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join("  ")
      .trimEnd(),
  );
  return text.join("\n");
}

function cellsOf(line: Line): Cells {
  if (line.kind === "size") {
    const { bytes, baselineBytes } = line.size;
    const against =
      baselineBytes === undefined ? ["", ""] : [amount(baselineBytes, "bytes"), (bytes / baselineBytes).toFixed(2)];
    return [titleOf(line), amount(bytes, "bytes"), ...against, "", "printed", ""];
  }
  const { comparison, outcome } = line;
  const { figure } = outcome;
  const show = (value: number): string =>
    comparison.figure === "ratio" ? value.toFixed(2) : amount(value, comparison.unit);
  return [
    titleOf(line),
    amount(outcome.measured, comparison.unit),
    amount(outcome.baseline, comparison.unit),
    show(figure.median),
    `${show(figure.low)} to ${show(figure.high)}`,
    barText(comparison.bar, show),
    verdictText(line.comparison.bar, figure),
  ];
}

function barText(bar: Bar, show: (value: number) => string): string {
  switch (bar.kind) {
    case "atMost":
      return `≤ ${show(bar.value)}`;
    case "atLeast":
      return `≥ ${show(bar.value)}`;
    case "printed":
      return "printed";
  }
}

function verdictText(bar: Bar, figure: Parameters<typeof judge>[1]): string {
  const { met, unsure } = judge(bar, figure);
  if (met === undefined) return "";
  return `${met ? "met" : "MISSED"}${unsure ? "?" : ""}`;
}

function amount(value: number, unit: Comparison["unit"]): string {
  switch (unit) {
    case "ns":
      return duration(value);
    case "bytes":
      return Math.abs(value) < 10_240 ? `${Math.round(value)} B` : `${(value / 1024).toFixed(0)} KiB`;
    case "per second":
      return `${Math.round(value)}/s`;
  }
}

function duration(nanoseconds: number): string {
  if (nanoseconds < 1e3) return `${nanoseconds.toFixed(0)} ns`;
  if (nanoseconds < 1e6) return `${(nanoseconds / 1e3).toFixed(1)} µs`;
  return `${(nanoseconds / 1e6).toFixed(1)} ms`;
}
