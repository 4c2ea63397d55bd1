import { visibleWidth } from "@earendil-works/pi-tui";
import type { Piece, Style } from "./painted.ts";

/** What a screen is drawn on. */
export interface Paper {
  readonly columns: number;
  readonly background: string;
  readonly foreground: string;
}

const CELL = { width: 8.4, height: 18, baseline: 13.5 };
const MARGIN = 14;
const FONT = "ui-monospace, 'SFMono-Regular', 'DejaVu Sans Mono', Menlo, Consolas, monospace";

/** Draws the lines of a terminal as SVG: text stays text, each piece as wide as its cells. */
export function drawScreen(lines: readonly (readonly Piece[])[], paper: Paper): string {
  const width = paper.columns * CELL.width + 2 * MARGIN;
  const height = lines.length * CELL.height + 2 * MARGIN;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${FONT}" font-size="14">`,
    `<rect width="${width}" height="${height}" rx="8" fill="${paper.background}"/>`,
    ...lines.flatMap((line, row) => drawLine(line, row, paper)),
    "</svg>\n",
  ].join("\n");
}

function drawLine(pieces: readonly Piece[], row: number, paper: Paper): readonly string[] {
  let column = 0;
  return pieces.flatMap(({ text, style }) => {
    const place = { x: MARGIN + column * CELL.width, y: MARGIN + row * CELL.height, cells: visibleWidth(text) };
    column += place.cells;
    return drawPiece(text, style, place, paper);
  });
}

function drawPiece(
  text: string,
  style: Style,
  { x, y, cells }: { readonly x: number; readonly y: number; readonly cells: number },
  paper: Paper,
): readonly string[] {
  const [ink, ground] = inkAndGround(style, paper);
  const width = round(cells * CELL.width);
  const rect =
    ground === undefined
      ? []
      : [`<rect x="${round(x)}" y="${round(y)}" width="${width}" height="${CELL.height}" fill="${ground}"/>`];
  if (text.trim() === "") return rect;
  return [
    ...rect,
    `<text x="${round(x)}" y="${round(y + CELL.baseline)}" textLength="${width}" lengthAdjust="spacingAndGlyphs" xml:space="preserve" fill="${ink}"${attributes(style)}>${escaped(text)}</text>`,
  ];
}

function inkAndGround({ colour, background, inverse }: Style, paper: Paper): readonly [string, string | undefined] {
  if (inverse === true) return [background ?? paper.background, colour ?? paper.foreground];
  return [colour ?? paper.foreground, background];
}

function attributes({ bold, faint, italic, underlined }: Style): string {
  return [
    bold === true ? ' font-weight="bold"' : "",
    faint === true ? ' opacity="0.6"' : "",
    italic === true ? ' font-style="italic"' : "",
    underlined === true ? ' text-decoration="underline"' : "",
  ].join("");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
