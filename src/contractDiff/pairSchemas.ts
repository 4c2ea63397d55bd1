import type { SchemaFile } from "./prisma/readSources.ts";

/** Which schema became which. */
export interface PairedSchemas {
  readonly pairs: readonly (readonly [old: SchemaFile, current: SchemaFile])[];
  readonly removed: readonly SchemaFile[];
  readonly added: readonly SchemaFile[];
}

type Likeness = (old: SchemaFile, current: SchemaFile) => boolean;

/** By the name of the file, or else by the name that the schema gives itself: a file may have been renamed. */
const SIGNS: readonly Likeness[] = [
  (old, current) => old.name === current.name,
  (old, current) => old.schema["$id"] !== undefined && old.schema["$id"] === current.schema["$id"],
];

export function pairSchemas(before: readonly SchemaFile[], after: readonly SchemaFile[]): PairedSchemas {
  const removed = new Set(before);
  const added = new Set(after);
  const pairs: (readonly [SchemaFile, SchemaFile])[] = [];
  const pair = (old: SchemaFile, current: SchemaFile): void => {
    pairs.push([old, current]);
    removed.delete(old);
    added.delete(current);
  };
  for (const isSame of SIGNS) {
    for (const old of [...removed]) {
      const current = [...added].find((each) => isSame(old, each));
      if (current !== undefined) pair(old, current);
    }
  }
  // Two single files were named to be compared, whatever they are called.
  const [[old], [current]] = [[...removed], [...added]];
  if (before.length === 1 && after.length === 1 && old !== undefined && current !== undefined) pair(old, current);
  return { pairs, removed: [...removed], added: [...added] };
}
