/** How a piece of text is painted. Colours are `#rrggbb`, or undefined for the terminal's own. */
export interface Style {
  readonly colour?: string | undefined;
  readonly background?: string | undefined;
  readonly bold?: boolean;
  readonly faint?: boolean;
  readonly italic?: boolean;
  readonly underlined?: boolean;
  readonly inverse?: boolean;
}

/** Text in one style. */
export interface Piece {
  readonly text: string;
  readonly style: Style;
}

/** The eight colours of a terminal, then their bright ones. */
const NAMED = [
  ...["#1d1f21", "#cc6666", "#7e9e3f", "#c99a2e", "#5f87af", "#9a6fb0", "#4f9a94", "#c5c8c6"],
  ...["#666666", "#d54e53", "#98b84a", "#e0b84a", "#7aa6da", "#b48bc9", "#70c0b1", "#eaeaea"],
];

const CUBE_STEPS = [0, 95, 135, 175, 215, 255];

const SEQUENCE = new RegExp(`${String.fromCharCode(27)}\\[([\\d;]*)m`, "u");

/**
 * Reads a screen as `tmux capture-pane -e` writes it: text, and sequences that set colours and nothing else. A style holds
 * until it is changed, from line to line too.
 */
export function readPainted(screen: string): readonly (readonly Piece[])[] {
  let style: Style = {};
  const readLine = (line: string): readonly Piece[] =>
    // The pattern has one group, so texts and the parameters of sequences take turns.
    line.split(SEQUENCE).flatMap((part, number): readonly Piece[] => {
      if (number % 2 === 0) return part === "" ? [] : [{ text: part, style }];
      style = styleAfter(style, part.split(";").map(Number));
      return [];
    });
  return screen.split("\n").map(readLine);
}

function styleAfter(before: Style, [code = 0, ...rest]: readonly number[]): Style {
  const { style, taken } = applied(before, code, rest);
  const left = rest.slice(taken);
  return left.length === 0 ? style : styleAfter(style, left);
}

function applied(
  before: Style,
  code: number,
  rest: readonly number[],
): { readonly style: Style; readonly taken: number } {
  if (code === 38 || code === 48) {
    const { colour, taken } = extendedColour(rest);
    return { style: { ...before, [code === 38 ? "colour" : "background"]: colour }, taken };
  }
  return { style: { ...before, ...change(code, before) }, taken: 0 };
}

function change(code: number, before: Style): Style {
  if (code === 0) return Object.fromEntries(Object.keys(before).map((name) => [name, undefined]));
  if (code >= 30 && code <= 37) return { colour: NAMED[code - 30] };
  if (code >= 90 && code <= 97) return { colour: NAMED[code - 82] };
  if (code >= 40 && code <= 47) return { background: NAMED[code - 40] };
  if (code >= 100 && code <= 107) return { background: NAMED[code - 92] };
  return SWITCHES[code] ?? {};
}

const SWITCHES: Readonly<Record<number, Style>> = {
  1: { bold: true },
  2: { faint: true },
  3: { italic: true },
  4: { underlined: true },
  7: { inverse: true },
  22: { bold: false, faint: false },
  23: { italic: false },
  24: { underlined: false },
  27: { inverse: false },
  39: { colour: undefined },
  49: { background: undefined },
};

function extendedColour([kind, ...values]: readonly number[]): { readonly colour: string; readonly taken: number } {
  if (kind === 2) return { colour: hex(values.slice(0, 3)), taken: 4 };
  return { colour: indexed(values[0] ?? 0), taken: 2 };
}

function indexed(index: number): string {
  if (index < 16) return NAMED[index] ?? "#000000";
  if (index >= 232) return hex([1, 1, 1].map(() => 8 + (index - 232) * 10));
  const cube = index - 16;
  return hex([Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map((step) => CUBE_STEPS[step] ?? 0));
}

function hex(parts: readonly number[]): string {
  return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}
