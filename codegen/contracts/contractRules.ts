import type { Contract, JsonSchema } from "../model.ts";
import { quote } from "../wording.ts";

/** One keyword of a contract: where it stands, what it demands, and how a sentence about a broken value ends. */
export interface ContractRule {
  /** The keyword's place, as Ajv names it in an error. */
  readonly place: string;
  readonly bound: unknown;
  readonly sentence: string;
}

/** Keywords that judge a value by themselves; what they say is the end of a sentence. */
const SENTENCES: Readonly<Record<string, (bound: never, schema: JsonSchema) => string>> = {
  type: (types: string | readonly string[]) => `must be of type ${[types].flat().join(" or ")}.`,
  const: (value: unknown) => `must be ${quote(value)}.`,
  enum: (values: readonly unknown[]) => `must be one of ${values.map(quote).join(", ")}.`,
  minLength: (least: number) => `must have at least ${counted(least, "character")}.`,
  maxLength: (most: number) => `must have at most ${counted(most, "character")}.`,
  pattern: (pattern: string) => `must match ${pattern}.`,
  minimum: (least: number) => `must be at least ${least}.`,
  maximum: (most: number) => `must be at most ${most}.`,
  exclusiveMinimum: (least: number) => `must be greater than ${least}.`,
  exclusiveMaximum: (most: number) => `must be less than ${most}.`,
  multipleOf: (factor: number) => `must be a multiple of ${factor}.`,
  minItems: (least: number) => `must have at least ${counted(least, "item")}.`,
  maxItems: (most: number) => `must have at most ${counted(most, "item")}.`,
  uniqueItems: () => "must not have an item twice.",
  minProperties: (least: number) => `must have at least ${counted(least, "field")}.`,
  maxProperties: (most: number) => `must have at most ${counted(most, "field")}.`,
  required: () => "is missing.",
  additionalProperties: () => "is not a field of this contract.",
};

export function contractRules({ schema }: Contract): readonly ContractRule[] {
  return rulesOf(schema, "#", schema);
}

function rulesOf(schema: JsonSchema, place: string, root: JsonSchema): readonly ContractRule[] {
  const own = Object.entries(schema).flatMap(([keyword, bound]) => {
    const sentence = sentenceOf(keyword, bound, schema, root);
    return sentence === undefined
      ? []
      : [{ place: `${place}/${keyword}`, bound: boundOf(keyword, bound, root), sentence }];
  });
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
    rulesOf(field, `${place}/properties/${pointerToken(name)}`, root),
  );
  const items = schema.items === undefined ? [] : rulesOf(schema.items, `${place}/items`, root);
  return [...own, ...fields, ...items];
}

function sentenceOf(keyword: string, bound: unknown, schema: JsonSchema, root: JsonSchema): string | undefined {
  if (keyword === "additionalProperties" && bound !== false) return undefined;
  if (keyword === "not") return `must not be ${notTitle(bound as JsonSchema, root)}.`;
  const sentence = Object.hasOwn(SENTENCES, keyword) ? SENTENCES[keyword] : undefined;
  return sentence?.(bound as never, schema);
}

function boundOf(keyword: string, bound: unknown, root: JsonSchema): unknown {
  return keyword === "not" ? notTitle(bound as JsonSchema, root) : bound;
}

/** A schema that a value must not match tells by its title what that is. */
function notTitle(not: JsonSchema, root: JsonSchema): string {
  const name = not.$ref?.split("/").at(-1) ?? "";
  return root.definitions?.[name]?.title ?? not.title ?? JSON.stringify(not);
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

/** A name as a token of the JSON pointer in a schema path, which Ajv writes as a URI fragment. */
function pointerToken(name: string): string {
  return encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"));
}
