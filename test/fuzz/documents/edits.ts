import fc from "fast-check";
import { type DocumentField, type DocumentParts, textOf } from "./document.ts";
import { anyToken, anyWriting, deepToken, hostileString, INHERITED_NAMES, stringToken } from "./tokens.ts";

/** A change of a document's parts. */
export type Edit = (parts: DocumentParts) => DocumentParts;

/** What may follow or precede an object without being a part of it, and what may not. */
const SURROUNDINGS = [
  ...["\ufeff", "\0", "\0{}", "x", "}", ",", "]", "//", "/* */", "\u00a0", "\u2028", "\u0085", "\v", "\f"],
  ...[" ", "\n", "\t", "\r\n", "\ud83d", "null", "{}", '""'],
] as const;

const place = fc.nat({ max: 11 });

const ownName = (parts: DocumentParts, at: number): string => parts.fields[at % parts.fields.length]?.name ?? '"x"';

const withField = (parts: DocumentParts, at: number, field: DocumentField): DocumentParts => ({
  ...parts,
  fields: parts.fields.toSpliced(at % (parts.fields.length + 1), 0, field),
});

function withValue(parts: DocumentParts, at: number, value: string): DocumentParts {
  const index = at % Math.max(1, parts.fields.length);
  return { ...parts, fields: parts.fields.map((field, place) => (place === index ? { ...field, value } : field)) };
}

/** Another value of a field, a field less, a field more, or a field of another name. */
export function fieldEdit(): fc.Arbitrary<Edit> {
  const name = fc.oneof(fc.constantFrom(...INHERITED_NAMES), hostileString());
  return fc.oneof(
    {
      weight: 6,
      arbitrary: fc.tuple(place, anyToken()).map(
        ([at, value]): Edit =>
          (parts) =>
            withValue(parts, at, value),
      ),
    },
    {
      weight: 1,
      arbitrary: place.map(
        (at): Edit =>
          (parts) => ({
            ...parts,
            fields: parts.fields.toSpliced(at % Math.max(1, parts.fields.length), 1),
          }),
      ),
    },
    {
      weight: 2,
      arbitrary: fc.tuple(place, name, anyWriting, anyToken()).map(
        ([at, text, writing, value]): Edit =>
          (parts) =>
            withField(parts, at, { name: stringToken(text, writing), value }),
      ),
    },
  );
}

/** A field given twice, with the same value or another, its name in the same writing or in escapes. */
export function duplicateEdit(): fc.Arbitrary<Edit> {
  return fc.tuple(place, place, anyWriting, fc.option(anyToken())).map(
    ([from, to, writing, other]): Edit =>
      (parts) => {
        const name = JSON.parse(ownName(parts, from)) as string;
        const value = other ?? parts.fields[from % parts.fields.length]?.value ?? "null";
        return withField(parts, to, { name: stringToken(name, writing), value });
      },
  );
}

/** A value of a known or an unknown field that is nested deep. */
export function deepEdit(): fc.Arbitrary<Edit> {
  return fc.tuple(place, fc.boolean(), deepToken).map(
    ([at, known, value]): Edit =>
      (parts) =>
        known ? withValue(parts, at, value) : withField(parts, at, { name: '"deep"', value }),
  );
}

/** Something before or behind the object. */
export function surroundingEdit(): fc.Arbitrary<Edit> {
  return fc.tuple(fc.boolean(), fc.constantFrom(...SURROUNDINGS)).map(
    ([inFront, text]): Edit =>
      (parts) =>
        inFront ? { ...parts, before: text + parts.before } : { ...parts, after: parts.after + text },
  );
}

/** The same object in another writing: white space, another order, names and strings in escapes. */
export function rewriting(): fc.Arbitrary<Edit> {
  return fc.tuple(fc.constantFrom("", " ", "\n  ", "\r\n\t"), place, anyWriting, anyWriting).map(
    ([gap, turn, names, strings]): Edit =>
      (parts) => ({
        ...parts,
        gap,
        fields: [...parts.fields.slice(turn), ...parts.fields.slice(0, turn)].map(({ name, value }) => ({
          name: rewritten(name, names),
          value: rewritten(value, strings),
        })),
      }),
  );
}

function rewritten(token: string, writing: Parameters<typeof stringToken>[1]): string {
  if (!token.startsWith('"')) return token;
  const text = JSON.parse(token) as string;
  // What JSON cannot hold raw keeps its escapes: a rewriting changes no meaning.
  const needsEscapes = writing === "raw" && /\p{Control}|\p{Surrogate}/u.test(text);
  return needsEscapes ? token : stringToken(text, writing);
}

/** So much white space, or so long a text in the field `padded`, that the whole has this many bytes of UTF-8. */
export function paddedTo(bytes: number, padding: "around" | "gap" | "multiByteTail"): Edit {
  return (parts) => {
    const missing = bytes - Buffer.byteLength(textOf(parts));
    if (missing <= 0) return parts;
    if (padding === "around") return { ...parts, before: " ".repeat(missing) + parts.before };
    if (padding === "gap") return { ...parts, after: parts.after + "\n".repeat(missing) };
    return { ...parts, after: `${parts.after}${" ".repeat(Math.max(0, missing - 4))}\u{1F980}` };
  };
}
