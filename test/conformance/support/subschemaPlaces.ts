/** A schema inside of another, and the other one with a different schema in its place. */
export interface SubschemaPlace {
  /** JSON pointer. */
  readonly pointer: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly replace: (schema: unknown) => unknown;
}

const SINGLE = ["additionalProperties", "items", "not"];
const LISTS = ["allOf", "anyOf", "oneOf"];
const NAMED = ["definitions", "properties"];

/** A schema and every schema inside of it. */
export function subschemaPlaces(root: Readonly<Record<string, unknown>>): readonly SubschemaPlace[] {
  const places: SubschemaPlace[] = [];
  function visit(place: SubschemaPlace): void {
    places.push(place);
    for (const [keyword, value] of Object.entries(place.schema)) {
      const at = [keyword];
      if (SINGLE.includes(keyword) && typeof value === "object") visit(inside(place, at, value));
      if (!LISTS.includes(keyword) && !NAMED.includes(keyword)) continue;
      for (const [name, each] of Object.entries(value as object)) visit(inside(place, [...at, name], each));
    }
  }
  visit({ pointer: "", schema: root, replace: (schema) => schema });
  return places;
}

function inside(outer: SubschemaPlace, path: readonly string[], schema: unknown): SubschemaPlace {
  return {
    pointer: `${outer.pointer}/${path.join("/")}`,
    schema: schema as SubschemaPlace["schema"],
    replace: (other) => outer.replace(withValue(outer.schema, path, other)),
  };
}

function withValue(container: unknown, [key = "", ...rest]: readonly string[], value: unknown): unknown {
  const changed = rest.length === 0 ? value : withValue((container as Record<string, unknown>)[key], rest, value);
  if (Array.isArray(container)) return container.map((each, index) => (String(index) === key ? changed : each));
  return { ...(container as object), [key]: changed };
}
