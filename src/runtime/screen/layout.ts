import type { Theme } from "@earendil-works/pi-coding-agent";
import { truncateToWidth, visibleWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import { cleanText, onOneLine } from "../../contracts/untrustedText.ts";

/** What gives text its colours: Pi's theme, or nothing where lines go to a program. */
export type Paint = Pick<Theme, "fg" | "bold">;

/** Leaves text as it is. */
export const PLAIN: Paint = { fg: (_colour, text) => text, bold: (text) => text };

/** How lines are laid out: the columns that each may take, and what paints them. */
export interface Layout {
  readonly width: number;
  readonly paint: Paint;
}

/** A name and what it stands for, as one entry of a list of facts. */
export type Fact = readonly [name: string, value: string];

/** Text from outside on one line, without anything that a terminal obeys. */
export function shownLine(text: string): string {
  return onOneLine(cleanText(text));
}

/** One line, cut with an ellipsis where it is too wide. */
export function cut(line: string, width: number): string {
  return truncateToWidth(line, Math.max(width, 1), "…");
}

/** Text over as many lines as it needs, all of them indented; `first` stands in the indent of the first. */
export function wrapped(
  text: string,
  { width, indent = 0, first = "" }: { readonly width: number; readonly indent?: number; readonly first?: string },
): readonly string[] {
  const lines = wrapTextWithAnsi(text, Math.max(width - indent, 1));
  const lead = first + " ".repeat(Math.max(indent - visibleWidth(first), 0));
  return lines.map((line, number) => cut((number === 0 ? lead : " ".repeat(indent)) + line, width));
}

/** Facts, one below the other, their values in a column of their own. */
export function factLines(facts: readonly Fact[], { width, paint }: Layout): readonly string[] {
  const column = Math.max(...facts.map(([name]) => name.length)) + 2;
  return facts.flatMap(([name, value]) =>
    wrapped(paint.fg("text", value), { width, indent: column, first: paint.fg("muted", name) }),
  );
}

/** How long ago something was, in the largest unit that fits. */
export function age(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 5) return "just now";
  if (seconds < 60) return `${seconds} s ago`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ago` : `${Math.floor(hours / 24)} days ago`;
}
