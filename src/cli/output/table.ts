/// <reference path="./cliui.d.ts" />
import type { Terminal } from "../terminal.ts";
import { painted } from "./words.ts";

/** A column of a table. */
export interface Column {
  readonly title: string;
  /** Whether its text may be folded where the terminal is narrow. */
  readonly folds: boolean;
}

const GAP = 2;
const NARROWEST = 8;

/** A table without borders that fits the terminal as far as its columns can be folded. */
export async function tableText(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  terminal: Pick<Terminal, "columns" | "hasColours">,
): Promise<string> {
  const [{ default: cliui }, { default: stringWidth }] = await Promise.all([import("cliui"), import("string-width")]);
  const lines = [columns.map(({ title }) => painted("dim", title, terminal)), ...rows];
  const needed = columns.map((_, place) => GAP + Math.max(...lines.map((line) => stringWidth(line[place] ?? ""))));
  const widths = columnWidths(columns, needed, terminal.columns);
  const table = cliui({ width: sum(widths), wrap: true });
  for (const line of lines) {
    table.div(...line.map((text, place) => ({ text, width: widths[place] ?? 0, padding: [0, GAP, 0, 0] as const })));
  }
  return table
    .toString()
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n");
}

/** Every column is as wide as it needs to be, or those that fold share what the others leave of the terminal. */
function columnWidths(
  columns: readonly Column[],
  needed: readonly number[],
  available = Number.POSITIVE_INFINITY,
): readonly number[] {
  const folding = needed.filter((_, place) => columns[place]?.folds);
  const fixed = sum(needed) - sum(folding);
  const widest = widestOf(folding, available + GAP - fixed);
  return needed.map((width, place) => (columns[place]?.folds ? Math.min(width, widest) : width));
}

/** The widest that columns may be so that together they fit: what a narrow one does not need, the others have. */
function widestOf(widths: readonly number[], available: number): number {
  let left = available;
  for (const [place, width] of widths.toSorted((one, other) => one - other).entries()) {
    const share = Math.floor(left / (widths.length - place));
    if (width > share) return Math.max(share, NARROWEST + GAP);
    left -= width;
  }
  return Number.POSITIVE_INFINITY;
}

function sum(widths: readonly number[]): number {
  return widths.reduce((total, width) => total + width, 0);
}
