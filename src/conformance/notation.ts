/** Stands for a text or list that is long and dull: `{ "repeat": "é", "times": 513 }`. */
export interface Repeated {
  readonly repeat: string | readonly unknown[];
  readonly times: number;
}

/** A text, or the parts that make one. */
export type TextParts = string | readonly (string | Repeated)[];

/** An object, and what another object differs in. */
export interface Change {
  readonly change?: Readonly<Record<string, unknown>>;
  readonly without?: readonly string[];
}

/** A value with everything that is repeated in it written out, however deep. */
export function writtenOut(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(writtenOut);
  if (isRepeated(value)) return repeated(value);
  return Object.fromEntries(Object.entries(value).map(([field, each]) => [field, writtenOut(each)]));
}

/** The text that parts make. */
export function joined(parts: TextParts): string {
  if (typeof parts === "string") return parts;
  return parts.map((part) => (typeof part === "string" ? part : repeated(part))).join("");
}

/** The object that differs from `base` by a change. */
export function changed(
  base: Readonly<Record<string, unknown>>,
  { change = {}, without = [] }: Change,
): Readonly<Record<string, unknown>> {
  const fields = Object.entries({ ...base, ...change }).filter(([field]) => !without.includes(field));
  return writtenOut(Object.fromEntries(fields)) as Readonly<Record<string, unknown>>;
}

function isRepeated(value: object): value is Repeated {
  return Object.keys(value).length === 2 && "repeat" in value && "times" in value;
}

function repeated({ repeat, times }: Repeated): string | readonly unknown[] {
  if (typeof repeat === "string") return repeat.repeat(times);
  return Array.from({ length: times }, () => repeat)
    .flat()
    .map(writtenOut);
}
