import fc from "fast-check";

/** A change of a text, wherever it hits. */
export type Mutation = (text: string) => string;

const CHUNKS = [
  ...['"', "\\", "{", "}", "[", "]", ":", ",", " ", "\n", "0", "-", "e", "x", "\0", "\u001f", "\u007f", "\ufeff"],
  ...[
    "\\u0000",
    "\\ud83d",
    "\\ude00",
    "\\uD83D\\uDE00",
    "\\u",
    "\\\\",
    "\\/",
    "\\x",
    "\\n",
    "é",
    "\u{1F980}",
    "\ud83d",
  ],
  ...["null", "true", "1e999", '"runId":', '"__proto__":{},', '"\\u0072eason":null,', "//", "/*", "\u2028", "\u0085"],
] as const;

const LONGEST_CUT = 40;

/** Cuts, inserts, repeats or replaces a part of a text. */
export function mutation(): fc.Arbitrary<Mutation> {
  const at = fc.nat({ max: 0xffff });
  const length = fc.integer({ min: 1, max: LONGEST_CUT });
  const chunk = fc.constantFrom(...CHUNKS);
  return fc.oneof(
    fc.tuple(at, length).map(([from, count]) => replacing(from, count, () => "")),
    fc.tuple(at, chunk).map(([from, inserted]) => replacing(from, 0, () => inserted)),
    fc.tuple(at, length).map(([from, count]) => replacing(from, count, (cut) => cut + cut)),
    fc.tuple(at, chunk).map(([from, inserted]) => replacing(from, 1, () => inserted)),
    fc.tuple(at, fc.integer({ min: 1, max: 127 })).map(([from, by]) => replacing(from, 1, (cut) => shifted(cut, by))),
    at.map(
      (from): Mutation =>
        (text) =>
          text.slice(0, from % (text.length + 1)),
    ),
  );
}

function replacing(from: number, count: number, replace: (cut: string) => string): Mutation {
  return (text) => {
    const start = from % (text.length + 1);
    return text.slice(0, start) + replace(text.slice(start, start + count)) + text.slice(start + count);
  };
}

function shifted(character: string, by: number): string {
  return character === "" ? "" : String.fromCharCode((character.charCodeAt(0) + by) % 128);
}
