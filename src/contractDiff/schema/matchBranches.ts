import { isObject, isSame, type Json } from "../json.ts";

/** Which branch of a list of alternatives became which; the order of the list means nothing. */
export interface MatchedBranches {
  /** Indexes in the old and the new list. */
  readonly pairs: readonly (readonly [number, number])[];
  readonly removed: readonly Json[];
  readonly added: readonly Json[];
}

type Likeness = (first: Json, second: Json) => boolean;

/** From the surest sign that two branches are one to the weakest. */
const SIGNS: readonly Likeness[] = [isSame, sameMember("$ref"), sameMember("title")];

export function matchBranches(before: readonly Json[], after: readonly Json[]): MatchedBranches {
  const pairs: (readonly [number, number])[] = [];
  const oldLeft = new Set(before.keys());
  const newLeft = new Set(after.keys());
  const pair = (oldIndex: number, newIndex: number): void => {
    pairs.push([oldIndex, newIndex]);
    oldLeft.delete(oldIndex);
    newLeft.delete(newIndex);
  };
  for (const isAlike of SIGNS) {
    for (const oldIndex of [...oldLeft]) {
      const newIndex = [...newLeft].find((each) => isAlike(before[oldIndex] ?? null, after[each] ?? null));
      if (newIndex !== undefined) pair(oldIndex, newIndex);
    }
  }
  if (oldLeft.size === newLeft.size) {
    const newIndexes = [...newLeft];
    for (const [place, oldIndex] of [...oldLeft].entries()) pair(oldIndex, newIndexes[place] ?? oldIndex);
  }
  const left = (list: readonly Json[], indexes: ReadonlySet<number>): readonly Json[] =>
    list.filter((_branch, index) => indexes.has(index));
  return { pairs, removed: left(before, oldLeft), added: left(after, newLeft) };
}

function sameMember(name: string): Likeness {
  return (first, second) =>
    isObject(first) && isObject(second) && first[name] !== undefined && isSame(first[name], second[name]);
}
