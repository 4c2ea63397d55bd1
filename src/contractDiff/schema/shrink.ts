import { isObject, type Json, type JsonPath, valueAt, withValueAt } from "../json.ts";

/** How many smaller documents are tried. */
const MOST_TRIES = 3000;

/** The smallest document that can be reached by leaving out and shortening while it stays a witness. */
export function shrink(document: Json, isWitness: (document: Json) => boolean): Json {
  let smallest = document;
  let tries = 0;
  let progress = true;
  while (progress && tries < MOST_TRIES) {
    progress = false;
    for (const path of pathsOf(smallest)) {
      for (const smaller of smallerAt(smallest, path)) {
        tries += 1;
        if (!isWitness(smaller)) continue;
        smallest = smaller;
        progress = true;
        break;
      }
      if (progress) break;
    }
  }
  return smallest;
}

/** Every place of a document, the outer first: what goes as a whole needs no shortening. */
function pathsOf(value: Json, path: JsonPath = []): readonly JsonPath[] {
  const inside = Array.isArray(value)
    ? value.flatMap((item: Json, index) => pathsOf(item, [...path, String(index)]))
    : isObject(value)
      ? Object.entries(value).flatMap(([name, member]) => pathsOf(member, [...path, name]))
      : [];
  return [path, ...inside];
}

function smallerAt(document: Json, path: JsonPath): readonly Json[] {
  const value = valueAt(document, path);
  const without = path.length === 0 ? [] : [withValueAt(document, path, undefined)];
  return [...without, ...smallerValues(value).map((smaller) => withValueAt(document, path, smaller))];
}

function smallerValues(value: Json | undefined): readonly Json[] {
  if (typeof value === "string") return smallerTexts(value);
  if (Array.isArray(value)) return value.length > 2 ? [value.slice(0, value.length / 2), value.slice(-1)] : [];
  return [];
}

function smallerTexts(text: string): readonly string[] {
  const characters = [...text];
  if (characters.length === 0) return [];
  const lengths = [0, 1, ...steps(characters.length)].filter((length) => length < characters.length);
  return lengths.flatMap((length) => [
    characters.slice(0, length).join(""),
    characters.slice(characters.length - length).join(""),
  ]);
}

/** Lengths on the way to the smallest, the boldest first: half of the text less, a quarter … and one character. */
function steps(length: number): readonly number[] {
  const cuts: number[] = [];
  for (let cut = length >> 1; cut >= 1; cut >>= 1) cuts.push(length - cut);
  return cuts;
}
