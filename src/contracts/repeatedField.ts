/** Brackets, commas and strings; a string that a colon follows is the name of a field. */
const TOKENS = /[{}[\],]|(?<string>"[^"\\]*(?:\\.[^"\\]*)*")(?<colon>\s*:)?/gu;

/** A field that an object has more than once. */
export interface RepeatedField {
  readonly name: string;
  /** The field, as a JSON pointer. */
  readonly path: string;
}

/** An object or list that the reading is inside of. */
interface Container {
  /** The fields of an object so far; undefined for a list. */
  readonly fields: Set<string> | undefined;
  /** The field or place that is being read. */
  at: string | number;
}

/**
 * The first field that an object of a text has twice, however deep, in a text that is known to be JSON. `JSON.parse`
 * takes the last one and other parsers the first, so that two readers would see two values.
 */
export function repeatedField(text: string): RepeatedField | undefined {
  const inside: Container[] = [];
  for (const { 0: token, groups } of text.matchAll(TOKENS)) {
    if (groups?.["string"] === undefined) {
      punctuate(inside, token);
    } else if (groups["colon"] !== undefined) {
      const name = JSON.parse(groups["string"]) as string;
      if (isRepeated(inside.at(-1), name)) return { name, path: pathOf(inside) };
    }
  }
  return undefined;
}

/** A token of a JSON pointer. */
export function pointerToken(name: string | number): string {
  return String(name).replaceAll("~", "~0").replaceAll("/", "~1");
}

function punctuate(inside: Container[], token: string): void {
  if (token === "{") inside.push({ fields: new Set(), at: "" });
  else if (token === "[") inside.push({ fields: undefined, at: 0 });
  else if (token === ",") nextPlace(inside.at(-1));
  else inside.pop();
}

function nextPlace(container: Container | undefined): void {
  if (typeof container?.at === "number") container.at += 1;
}

/** Takes the name of a field; true if its object has one of that name already. */
function isRepeated(object: Container | undefined, name: string): boolean {
  if (object?.fields === undefined) return false;
  object.at = name;
  const known = object.fields.has(name);
  object.fields.add(name);
  return known;
}

function pathOf(inside: readonly Container[]): string {
  return inside.map(({ at }) => `/${pointerToken(at)}`).join("");
}
