// Texts that a regular expression matches, for witnesses of a changed pattern. What the small parser does not know
// (look-around, references back) it skips: a sample is a candidate, and a validator judges it.

/** One place of a match: the characters that may stand there, and how often. */
interface Place {
  readonly choices: readonly string[];
  readonly least: number;
  readonly most: number;
}

type Sequence = readonly Place[];

/** Sequences that one expression stands for are kept to so many, and repetitions to so long. */
const MOST_SEQUENCES = 24;
const MOST_REPEATS = 600;

/** Characters that stand for "any": of different kinds, and beyond the Basic Multilingual Plane. */
const ANY = ["a", "Z", "0", "_", "-", " ", "é", "😀", "\u0000", "\n"];

/**
 * Samples of what a pattern matches: for each alternative the shortest and longer texts, and each end of each character
 * class in turn.
 */
export function regexSamples(pattern: string): readonly string[] {
  const samples = new Set<string>();
  for (const sequence of new RegexReader(pattern).alternatives()) {
    samples.add(text(sequence, ({ least }) => least));
    samples.add(text(sequence, ({ least, most }) => Math.min(most, least + 1)));
    samples.add(text(sequence, ({ most }) => Math.min(most, MOST_REPEATS)));
    for (const [varied, place] of sequence.entries()) {
      for (const choice of place.choices.slice(1)) {
        const other = { ...place, choices: [choice] };
        samples.add(text(sequence.with(varied, other), (each) => Math.max(each.least, each === other ? 1 : 0)));
      }
    }
  }
  return [...samples];
}

function text(sequence: Sequence, repeats: (place: Place) => number): string {
  return sequence.map((place) => (place.choices[0] ?? "").repeat(Math.min(repeats(place), MOST_REPEATS))).join("");
}

class RegexReader {
  private readonly units: readonly string[];
  private at = 0;

  constructor(pattern: string) {
    this.units = [...pattern];
  }

  /** Reads alternatives up to the end, or up to the end of a group. */
  alternatives(): readonly Sequence[] {
    const found: Sequence[] = [];
    do found.push(...this.sequence());
    while (this.take("|"));
    return found.slice(0, MOST_SEQUENCES);
  }

  private sequence(): readonly Sequence[] {
    let sequences: readonly Sequence[] = [[]];
    while (this.at < this.units.length && this.next !== "|" && this.next !== ")") {
      const parts = this.part();
      const { least, most } = this.quantifier();
      const repeated = parts.map((part) => repeat(part, least, most));
      const optional = least === 0 && parts.some((part) => part.length !== 1) ? [[], ...repeated] : repeated;
      sequences = sequences.flatMap((before) => optional.map((part) => [...before, ...part])).slice(0, MOST_SEQUENCES);
    }
    return sequences;
  }

  /** A group, a class or a character: the sequences that it stands for. */
  private part(): readonly Sequence[] {
    const unit = this.pop();
    if (unit === "(") return this.group();
    if (unit === "^" || unit === "$") return [[]];
    if (unit === "[") return [[one(this.characterClass())]];
    if (unit === ".") return [[one(ANY.filter((each) => each !== "\n"))]];
    return [[one(unit === "\\" ? this.escaped() : [unit])]];
  }

  private group(): readonly Sequence[] {
    const isLook = this.take("?=") || this.take("?!") || this.take("?<=") || this.take("?<!");
    if (!isLook && !this.take("?:") && this.take("?<")) while (this.at < this.units.length && this.pop() !== ">");
    const inside = this.alternatives();
    this.take(")");
    return isLook ? [[]] : inside;
  }

  private characterClass(): readonly string[] {
    const isNegated = this.take("^");
    const members: string[] = [];
    const ranges: (readonly [number, number])[] = [];
    while (this.at < this.units.length && !this.take("]")) {
      const low = this.classUnit();
      if (this.next === "-" && this.units[this.at + 1] !== "]" && low.length === 1) {
        this.pop();
        const high = this.classUnit();
        const [first, last] = [low[0]?.codePointAt(0) ?? 0, high[0]?.codePointAt(0) ?? 0];
        ranges.push([first, last]);
        members.push(...[first, last].map((code) => String.fromCodePoint(code)));
      } else {
        members.push(...low);
      }
    }
    if (!isNegated) return members;
    const isInside = (character: string): boolean => {
      const code = character.codePointAt(0) ?? 0;
      return members.includes(character) || ranges.some(([first, last]) => code >= first && code <= last);
    };
    const outside = ranges
      .flatMap(([first, last]) => [first - 1, last + 1])
      .filter((code) => code >= 0 && code <= 0x10ffff);
    const candidates = [...ANY, ..."!#/~.AZaz09", ...outside.map((code) => String.fromCodePoint(code))];
    return [...new Set(candidates.filter((each) => !isInside(each)))];
  }

  private classUnit(): readonly string[] {
    const unit = this.pop();
    return unit === "\\" ? this.escaped() : [unit];
  }

  private escaped(): readonly string[] {
    const unit = this.pop();
    const hex = { x: 2, u: 4 }[unit];
    if (hex !== undefined) return [this.codePoint(hex)];
    const classes: Readonly<Record<string, readonly string[]>> = {
      d: ["0", "9"],
      w: ["a", "Z", "0", "_"],
      s: [" ", "\t", "\n"],
      D: ["a", " "],
      W: ["-", " "],
      S: ["a", "-"],
      n: ["\n"],
      r: ["\r"],
      t: ["\t"],
      b: [""],
      B: [""],
      "0": ["\u0000"],
    };
    return classes[unit] ?? [unit];
  }

  private codePoint(digits: number): string {
    const braced = this.take("{");
    let hex = "";
    while (this.at < this.units.length && (braced ? this.next !== "}" : hex.length < digits)) hex += this.pop();
    if (braced) this.take("}");
    return String.fromCodePoint(Number.parseInt(hex, 16) || 0);
  }

  private quantifier(): { readonly least: number; readonly most: number } {
    const rest = this.units.slice(this.at).join("");
    const match = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/.exec(rest);
    if (match === null) return { least: 1, most: 1 };
    this.at += [...match[0]].length;
    const [, sign, low = "0", comma, high] = match;
    if (sign !== undefined) return { least: sign === "+" ? 1 : 0, most: sign === "?" ? 1 : MOST_REPEATS };
    const least = Number(low);
    if (comma === "") return { least, most: least };
    return { least, most: high === "" || high === undefined ? least + MOST_REPEATS : Number(high) };
  }

  private get next(): string | undefined {
    return this.units[this.at];
  }

  private pop(): string {
    const unit = this.units[this.at] ?? "";
    this.at += 1;
    return unit;
  }

  private take(expected: string): boolean {
    const isThere = this.units.slice(this.at, this.at + expected.length).join("") === expected;
    if (isThere) this.at += expected.length;
    return isThere;
  }
}

function one(choices: readonly string[]): Place {
  return { choices: choices.length === 0 ? [""] : choices, least: 1, most: 1 };
}

/** A single place takes the bounds; a longer part is written out as often as it must stand there. */
function repeat(part: Sequence, least: number, most: number): Sequence {
  const [place] = part;
  if (place !== undefined && part.length === 1)
    return [{ ...place, least: place.least * least, most: place.most * most }];
  return Array.from({ length: Math.min(Math.max(least, 1), 64) }, () => part).flat();
}
