import type { ValueRules } from "./model.ts";

/** What a value must be, as the end of a sentence: `text of 1 to 512 characters, or null`. */
export function describeValue(value: ValueRules): string {
  return `${describeNonNull(value)}${value.nullable ? ", or null" : ""}`;
}

function describeNonNull(value: ValueRules): string {
  if (value.constant !== undefined) return quote(value.constant);
  if (value.oneOf !== undefined) return `one of ${value.oneOf.map(quote).join(", ")}`;
  switch (value.kind) {
    case "text":
      return `text${describeLength(value)}${value.pattern === undefined ? "" : ` that matches ${value.pattern}`}`;
    case "integer":
      return `a whole number${describeRange(value)}`;
    case "number":
      return `a number${describeRange(value)}`;
    case "boolean":
      return "true or false";
  }
}

function describeLength({ minLength = 0, maxLength }: ValueRules): string {
  if (maxLength === undefined) return minLength === 0 ? "" : ` of at least ${minLength} characters`;
  if (minLength === 0) return ` of at most ${maxLength} characters`;
  return minLength === maxLength ? ` of ${maxLength} characters` : ` of ${minLength} to ${maxLength} characters`;
}

function describeRange({ minimum, maximum }: ValueRules): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return ` of at least ${minimum}`;
  return maximum === undefined ? "" : ` of at most ${maximum}`;
}

export function quote(value: unknown): string {
  return typeof value === "string" ? `"${value}"` : String(value);
}

/** `a, b and c`. */
export function listing(items: readonly string[]): string {
  if (items.length < 2) return items.join("");
  return `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
}
