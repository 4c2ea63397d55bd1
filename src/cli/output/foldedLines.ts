import type { Terminal } from "../terminal.ts";

/** A line with a head, below which none of its text stands. */
export interface HeadedLine {
  readonly head: string;
  readonly text: string;
}

/** Where the head leaves less than this, the text begins below it. */
const NARROWEST = 24;
const INDENT = 2;

/** Lines whose text is folded between words to the width of the terminal; a path or id is longer rather than cut. */
export async function foldedLines(
  lines: readonly HeadedLine[],
  { columns }: Pick<Terminal, "columns">,
): Promise<readonly string[]> {
  if (columns === undefined) return lines.map(({ head, text }) => head + text);
  const { default: stringWidth } = await import("string-width");
  return lines.map(({ head, text }) => {
    const headWidth = stringWidth(head);
    if (headWidth + stringWidth(text) <= columns) return head + text;
    const isBelow = columns - headWidth < NARROWEST;
    const indent = isBelow ? INDENT : headWidth;
    const folded = folds(text, columns - indent, stringWidth).join(`\n${" ".repeat(indent)}`);
    return isBelow ? `${head.trimEnd()}\n${" ".repeat(indent)}${folded}` : head + folded;
  });
}

function folds(text: string, width: number, widthOf: (text: string) => number): readonly string[] {
  const [first = "", ...words] = text.split(" ");
  const done: string[] = [];
  let line = first;
  for (const word of words) {
    if (widthOf(line) + 1 + widthOf(word) <= width) line += ` ${word}`;
    else {
      done.push(line);
      line = word;
    }
  }
  return [...done, line];
}
