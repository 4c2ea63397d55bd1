/// <reference path="./cliui.d.ts" />
import type { Terminal } from "../terminal.ts";
import { painted } from "./words.ts";

const GAP = 2;

/** Rows under the titles of their columns, without borders; where the terminal is narrower, one block a row. */
export async function tableText(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  terminal: Pick<Terminal, "columns" | "hasColours">,
): Promise<string> {
  const [{ default: cliui }, { default: stringWidth }] = await Promise.all([import("cliui"), import("string-width")]);
  const lines = [titles.map((title) => painted("dim", title, terminal)), ...rows];
  const widths = titles.map((_, place) => GAP + Math.max(...lines.map((line) => stringWidth(line[place] ?? ""))));
  const width = widths.reduce((total, each) => total + each, 0);
  const available = terminal.columns ?? Number.POSITIVE_INFINITY;
  if (width - GAP > available) return rows.map((row) => blockText(row)).join("\n\n");
  const table = cliui({ width, wrap: true });
  for (const line of lines) {
    table.div(...line.map((text, place) => ({ text, width: widths[place] ?? 0, padding: [0, GAP, 0, 0] as const })));
  }
  return trimmedLines(table.toString());

  function blockText(row: readonly string[]): string {
    return row.flatMap((text, place) => labelled(text, (titles[place] ?? "").toLowerCase())).join("\n");
  }

  /** Beside its label, or below it where there is no room: what a person copies is never cut. */
  function labelled(text: string, title: string): readonly string[] {
    const label = painted("dim", `${title}:`, terminal);
    const cells = stringWidth(text);
    if (title.length + ": ".length + cells <= available) return [`${label} ${text}`];
    return [label, cells + GAP <= available ? " ".repeat(GAP) + text : text];
  }
}

function trimmedLines(text: string): string {
  return text
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n");
}
