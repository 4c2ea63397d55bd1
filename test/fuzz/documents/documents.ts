import fc from "fast-check";
import { anyText } from "../../contracts/support/arbitraries.ts";
import { partsOf, textOf } from "./document.ts";
import { deepEdit, duplicateEdit, type Edit, fieldEdit, paddedTo, rewriting, surroundingEdit } from "./edits.ts";
import { mutation } from "./mutations.ts";
import { anyToken, deepToken } from "./tokens.ts";

/** The ways in which documents come about. */
export const DOCUMENT_KINDS = [
  "written in another way",
  "fields changed",
  "a field twice",
  "nested deep",
  "something around it",
  "at the edge of its bytes",
  "text mutated",
  "any text",
] as const;

export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

/** JSON text, or nearly so, and how it came about. */
export interface FuzzDocument {
  readonly kind: DocumentKind;
  readonly text: string;
}

/** What documents of a contract start from. */
export interface DocumentSource {
  /** Values that keep the contract. */
  readonly valid: fc.Arbitrary<object>;
  /** The contract's bound on a text, in bytes of UTF-8. */
  readonly maxBytes: number;
}

/** Documents of a contract: some that keep it, more that break it in one place, some that are nothing at all. */
export function documents({ valid, maxBytes }: DocumentSource): fc.Arbitrary<FuzzDocument> {
  const edited = (kind: DocumentKind, edits: fc.Arbitrary<readonly Edit[]>): fc.Arbitrary<FuzzDocument> =>
    fc.tuple(valid, rewriting(), edits).map(([value, rewrite, changes]) => ({
      kind,
      text: textOf([rewrite, ...changes].reduce((parts, edit) => edit(parts), partsOf(value))),
    }));
  const some = (edit: fc.Arbitrary<Edit>, most: number): fc.Arbitrary<Edit[]> =>
    fc.array(edit, { minLength: 1, maxLength: most });
  return fc.oneof(
    { weight: 5, arbitrary: edited("written in another way", fc.constant([])) },
    { weight: 8, arbitrary: edited("fields changed", some(fieldEdit(), 2)) },
    { weight: 3, arbitrary: edited("a field twice", some(duplicateEdit(), 1)) },
    { weight: 1, arbitrary: edited("nested deep", some(deepEdit(), 1)) },
    { weight: 2, arbitrary: edited("something around it", some(surroundingEdit(), 2)) },
    { weight: 1, arbitrary: edited("at the edge of its bytes", edgeOfBytes(maxBytes)) },
    { weight: 6, arbitrary: mutated(valid) },
    {
      weight: 1,
      arbitrary: fc.oneof(anyText(), anyToken(), deepToken).map((text) => ({ kind: "any text" as const, text })),
    },
  );
}

function mutated(valid: fc.Arbitrary<object>): fc.Arbitrary<FuzzDocument> {
  return fc.tuple(valid, fc.array(mutation(), { minLength: 1, maxLength: 3 })).map(([value, mutations]) => ({
    kind: "text mutated",
    text: mutations.reduce((text, mutate) => mutate(text), JSON.stringify(value)),
  }));
}

function edgeOfBytes(maxBytes: number): fc.Arbitrary<readonly Edit[]> {
  const bytes = fc.constantFrom(maxBytes - 1, maxBytes, maxBytes + 1);
  return fc
    .tuple(bytes, fc.constantFrom("around", "gap", "multiByteTail"))
    .map(([count, padding]) => [paddedTo(count, padding)]);
}
