import fc from "fast-check";
import { anyText } from "../../contracts/support/arbitraries.ts";

/** How a string is written in JSON: as `JSON.stringify` does, all in escapes, or without any that could be left out. */
export type Writing = "plain" | "escaped" | "raw";

/** How a writing of the names `reason` and `nodeId` differs does not matter to a parser, and must not to a database. */
export const anyWriting: fc.Arbitrary<Writing> = fc.constantFrom("plain", "plain", "escaped", "raw");

/** A string as a token of JSON. The raw form keeps control characters and lone surrogates, which JSON may not allow. */
export function stringToken(text: string, writing: Writing): string {
  if (writing === "plain") return JSON.stringify(text);
  if (writing === "raw") return `"${text.replace(/["\\]/g, "\\$&")}"`;
  let escapes = "";
  for (let index = 0; index < text.length; index += 1) {
    const hex = text.charCodeAt(index).toString(16).padStart(4, "0");
    escapes += `\\u${index % 2 === 0 ? hex : hex.toUpperCase()}`;
  }
  return `"${escapes}"`;
}

/** Names that JavaScript objects have before anybody gives them fields. */
export const INHERITED_NAMES = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"] as const;

/** Characters of one to four bytes, of one and two UTF-16 units, and half ones. */
const UNITS = ["x", "é", "\u2028", "\u{1F980}", "e\u0301", "\u007f", "\ufeff", "\ud83d"] as const;

/** Lengths at the edges of the contracts' bounds, in characters. */
const EDGES = [0, 1, 64, 65, 511, 512, 513, 8191, 8192, 8193] as const;

/** A text of exactly so many characters (code points) of one kind. */
export function textOfLength(unit: string, characters: number): string {
  const size = [...unit].length;
  return unit.repeat(Math.floor(characters / size)) + "x".repeat(characters % size);
}

/** A string that a field could hold, short or at an edge, friendly or hostile. */
export function hostileString(): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom("", "draft", "failed", "$launch", "run-1", "null", ...INHERITED_NAMES) },
    { weight: 3, arbitrary: anyText({ maxLength: 10 }) },
    { weight: 3, arbitrary: fc.tuple(fc.constantFrom(...UNITS), fc.constantFrom(...EDGES)).map(lengthened) },
    {
      weight: 2,
      arbitrary: fc.constantFrom("\0", "a\0b", "\\u0000", "\\ud83d", "\ud83d", "\udc00\ud83d", "\ud83dx\ude00"),
    },
  );
}

/** Numbers, as JSON has them and as it has not. */
const NUMBERS = [
  ...["0", "-0", "-0.0", "1", "-1", "1e3", "1E+2", "0.1e-7", "1e999", "-1e999", "9007199254740993", "9".repeat(400)],
  ...["01", "+1", ".5", "1.", "0x1F", "1e", "--1", "NaN", "Infinity", "1_000"],
] as const;

const WORDS = [
  "true",
  "false",
  "null",
  "True",
  "nul",
  "undefined",
  "''",
  "'a'",
  '"',
  '"\\',
  '"\\x41"',
  '"\\u00"',
] as const;

const SMALL_TREES = [
  "[]",
  "{}",
  "[null]",
  '{"a":1,"a":2}',
  '{"__proto__":{"handoff":true}}',
  "[,]",
  "[1,]",
  '{"a":}',
] as const;

const DEPTHS = [2, 999, 1000, 1001, 2000, 2001, 10_000, 20_000] as const;

/** Lists and objects within each other, closed and not closed. */
const DEEP_TREES: readonly string[] = DEPTHS.flatMap((depth) => [
  "[".repeat(depth) + "]".repeat(depth),
  `${'{"a":'.repeat(depth)}0${"}".repeat(depth)}`,
  "[".repeat(depth),
]);

/** A value nested as deep as 20,000 levels. */
export const deepToken: fc.Arbitrary<string> = fc.constantFrom(...DEEP_TREES);

/** Any value, as the text that stands for it: of the wrong type, beyond a bound, or no JSON at all. */
export function anyToken(): fc.Arbitrary<string> {
  return fc.oneof(
    {
      weight: 5,
      arbitrary: fc.tuple(hostileString(), anyWriting).map(([text, writing]) => stringToken(text, writing)),
    },
    { weight: 2, arbitrary: fc.constantFrom(...WORDS) },
    { weight: 2, arbitrary: fc.constantFrom(...NUMBERS) },
    { weight: 1, arbitrary: fc.constantFrom(...SMALL_TREES) },
  );
}

function lengthened([unit, characters]: readonly [string, number]): string {
  return textOfLength(unit, characters);
}
