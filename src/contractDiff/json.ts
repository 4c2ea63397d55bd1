/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [name: string]: Json;
}

/** The names and indexes that lead to a value inside another. */
export type JsonPath = readonly string[];

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Text that two values share exactly when they are equal: the order of an object's members means nothing. */
export function canonical(value: Json | undefined): string {
  return JSON.stringify(value, (_name, each: unknown) => (isObject(each) ? sorted(each) : each)) ?? "undefined";
}

export function isSame(first: Json | undefined, second: Json | undefined): boolean {
  return canonical(first) === canonical(second);
}

/** The value at a path, or undefined where there is none. */
export function valueAt(value: Json | undefined, path: JsonPath): Json | undefined {
  return path.reduce<Json | undefined>((inside, name) => memberOf(inside, name), value);
}

/** The value with what stands at a path replaced, or with the member or item removed where `next` is undefined. */
export function withValueAt(value: Json, [name, ...rest]: JsonPath, next: Json | undefined): Json {
  if (name === undefined) return next ?? null;
  const inside = memberOf(value, name);
  const changed = rest.length === 0 ? next : withValueAt(inside ?? {}, rest, next);
  if (Array.isArray(value)) {
    const index = Number(name);
    const items: readonly Json[] = value;
    return changed === undefined ? items.toSpliced(index, 1) : items.toSpliced(index, 1, changed);
  }
  const others = Object.entries(isObject(value) ? value : {});
  if (changed === undefined) return Object.fromEntries(others.filter(([each]) => each !== name));
  const isNew = !others.some(([each]) => each === name);
  const members = others.map(([each, member]) => [each, each === name ? changed : member] as const);
  return Object.fromEntries(isNew ? [...members, [name, changed] as const] : members);
}

/** `/a/b`, with the escapes of RFC 6901; "" for the whole. */
export function pointerOf(path: JsonPath): string {
  return path.map((name) => `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

export function pathOf(pointer: string): JsonPath {
  const [, ...names] = pointer.split("/");
  return names.map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function memberOf(value: Json | undefined, name: string): Json | undefined {
  if (Array.isArray(value)) return (value as readonly Json[])[Number(name)];
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function sorted(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).sort(([first], [second]) => (first < second ? -1 : 1)));
}
