import { stripVTControlCharacters } from "node:util";
import type { Terminal } from "../terminal.ts";
import { painted } from "./words.ts";

/** A column of a table. */
export interface Column {
  readonly title: string;
  /** Whether its text may be folded where the terminal is narrow; what is not is of short ASCII words. */
  readonly folds: boolean;
}

const GAP = 2;
const NARROWEST = 8;

const NO_BORDERS = {
  top: "",
  "top-mid": "",
  "top-left": "",
  "top-right": "",
  bottom: "",
  "bottom-mid": "",
  "bottom-left": "",
  "bottom-right": "",
  left: "",
  "left-mid": "",
  mid: "",
  "mid-mid": "",
  right: "",
  "right-mid": "",
  middle: "",
};

/** A table without borders that fits the terminal as far as its columns can be folded. */
export async function tableText(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  terminal: Pick<Terminal, "columns" | "hasColours">,
): Promise<string> {
  const { default: CliTable } = await import("cli-table3");
  const table = new CliTable({
    head: columns.map(({ title }) => painted("dim", title, terminal)),
    colWidths: [...columnWidths(columns, rows, terminal.columns)],
    wordWrap: true,
    wrapOnWordBoundary: false,
    chars: NO_BORDERS,
    style: { "padding-left": 0, "padding-right": GAP, head: [], border: [], compact: true },
  });
  table.push(...rows.map((row) => [...row]));
  return table
    .toString()
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n");
}

/** Null where a column is as wide as its text; columns that fold share what the others leave. */
export function columnWidths(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  available: number | undefined,
): readonly (number | null)[] {
  const needed = columns.map(({ title }, place) => GAP + Math.max(...[title, ...cells(rows, place)].map(mostCells)));
  const total = needed.reduce((sum, width) => sum + width, 0);
  if (available === undefined || total - GAP <= available) return columns.map(() => null);
  const folding = needed.filter((_, place) => columns[place]?.folds);
  const fixed = total - folding.reduce((sum, width) => sum + width, 0);
  const share = fairShare(folding, available + GAP - fixed);
  return columns.map(({ folds }, place) => (folds ? Math.min(needed[place] ?? share, share) : null));
}

/** The widest that columns may be so that together they fit: narrow ones leave room to the others. */
function fairShare(widths: readonly number[], available: number): number {
  const sorted = widths.toSorted((one, other) => one - other);
  let left = available;
  for (const [place, width] of sorted.entries()) {
    const share = Math.floor(left / (sorted.length - place));
    if (width > share) return Math.max(share, NARROWEST + GAP);
    left -= width;
  }
  return Math.max(...widths);
}

function cells(rows: readonly (readonly string[])[], place: number): readonly string[] {
  return rows.map((row) => row[place] ?? "");
}

const ASCII = /^[\x20-\x7e]*$/;

/** The most cells that a text takes: no character takes more than two. */
function mostCells(text: string): number {
  const bare = stripVTControlCharacters(text);
  return ASCII.test(bare) ? bare.length : 2 * bare.length;
}
