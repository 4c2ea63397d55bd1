// violations.ts contains the text of this module, so it imports nothing.

/** What a keyword demands of a value, and how a sentence about a value ends that breaks it. */
export interface RuleWords {
  readonly bound: unknown;
  readonly sentence: string;
}

type Schema = Readonly<Record<string, unknown>>;

/** The words of one keyword of a schema without references; undefined for a keyword that says nothing by itself. */
export function ruleWords(keyword: string, schema: Schema): RuleWords | undefined {
  const bound = Object.hasOwn(BOUNDS, keyword) ? BOUNDS[keyword]?.(schema) : schema[keyword];
  const sentence = Object.hasOwn(SENTENCES, keyword) ? SENTENCES[keyword]?.(bound as never) : undefined;
  return sentence === undefined ? undefined : { bound, sentence };
}

/** Keywords whose demand is not their own value: a schema that must not match is told by its title. */
const BOUNDS: Readonly<Record<string, (schema: Schema) => unknown>> = {
  not: ({ not }) => (not as Schema)["title"] ?? JSON.stringify(not),
  discriminator: ({ discriminator, oneOf }) => {
    const { propertyName } = discriminator as { readonly propertyName: string };
    return (oneOf as readonly TaggedSchema[]).map(({ properties }) => properties[propertyName]?.["const"]);
  },
};

interface TaggedSchema {
  readonly properties: Readonly<Record<string, Schema>>;
}

const SENTENCES: Readonly<Record<string, (bound: never) => string | undefined>> = {
  type: (types: string | readonly string[]) => `must be of type ${[types].flat().join(" or ")}.`,
  const: (value: unknown) => `must be ${JSON.stringify(value)}.`,
  enum: oneOf,
  discriminator: oneOf,
  not: (title: string) => `must not be ${title}.`,
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
  additionalProperties: (others: unknown) => (others === false ? "is not a field of this contract." : undefined),
};

function oneOf(values: readonly unknown[]): string {
  return `must be one of ${values.map((value) => JSON.stringify(value)).join(", ")}.`;
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
