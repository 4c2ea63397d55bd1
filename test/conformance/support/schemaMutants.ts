import { patternMutants } from "./patternMutants.ts";
import { subschemaPlaces } from "./subschemaPlaces.ts";

/** A schema, as a mutation looks at it. */
export type Schema = Readonly<Record<string, unknown>>;

/** A schema that differs from another in one rule. */
export interface SchemaMutant {
  /** The subschema, as a JSON pointer, and what was done to it: `#/properties/runId drop minLength`. */
  readonly name: string;
  readonly schema: Schema;
}

/** A subschema after a mutation. */
interface Changed {
  readonly what: string;
  readonly schema: Schema;
}

const ANNOTATIONS = ["$schema", "$id", "title", "description", "examples", "discriminator", "definitions"];
const NUMBERS = [
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "x-maxBytes",
];

/** Every schema that differs from `root` in one rule, however deep. */
export function schemaMutants(root: Schema): readonly SchemaMutant[] {
  const definitions = Object.keys((root["definitions"] ?? {}) as object);
  return subschemaPlaces(root).flatMap(({ pointer, schema, replace }) =>
    changes(schema, definitions).map(({ what, schema: changed }) => ({
      name: `#${pointer} ${what}`,
      schema: replace(changed) as Schema,
    })),
  );
}

function changes(schema: Schema, definitions: readonly string[]): readonly Changed[] {
  return Object.entries(schema).flatMap(([keyword, value]) => {
    if (ANNOTATIONS.includes(keyword)) return [];
    const { [keyword]: _, ...others } = schema;
    const dropped = value === true ? [] : [{ what: `drop ${keyword}`, schema: others }];
    const other = values(keyword, value, schema, definitions).map(([what, changed]) => ({
      what,
      schema: { ...schema, [keyword]: changed },
    }));
    return [...dropped, ...other];
  });
}

type ChangedValue = readonly [what: string, value: unknown];

/** The values that a keyword gets instead of its own. */
function values(
  keyword: string,
  value: unknown,
  schema: Schema,
  definitions: readonly string[],
): readonly ChangedValue[] {
  if (NUMBERS.includes(keyword)) return moved(keyword, value as number);
  switch (keyword) {
    case "const":
      return [[`const ${value}x`, `${value}x`]];
    case "enum":
    case "oneOf":
    case "allOf":
      return withoutEach(keyword, value as readonly unknown[]);
    case "required":
      return [...withoutEach(keyword, value as readonly unknown[]), ...required(value as readonly string[], schema)];
    case "type":
      return types(value as string | readonly string[]);
    case "pattern":
      return patternMutants(value as string).map(({ what, pattern }) => [`pattern ${what}`, pattern]);
    case "properties":
      return withoutFields(value as Schema);
    case "additionalProperties":
    case "uniqueItems":
      return value === true ? [[`${keyword} false`, false]] : [];
    case "$ref":
      return definitions
        .map((name) => `#/definitions/${name}`)
        .filter((target) => target !== value)
        .map((target) => [`$ref ${target}`, target]);
    default:
      return [];
  }
}

function moved(keyword: string, value: number): readonly ChangedValue[] {
  const steps = [value - 1, value + 1].filter((each) => each >= 0 || keyword.includes("inimum"));
  return steps.map((each) => [`${keyword} ${each}`, each]);
}

function withoutEach(keyword: string, members: readonly unknown[]): readonly ChangedValue[] {
  return members.map((member, index) => [
    `${keyword} without ${typeof member === "string" ? member : index}`,
    members.filter((_, place) => place !== index),
  ]);
}

function required(names: readonly string[], { properties }: Schema): readonly ChangedValue[] {
  const optional = Object.keys((properties ?? {}) as object).filter((name) => !names.includes(name));
  return optional.map((name) => [`required with ${name}`, [...names, name]]);
}

function types(type: string | readonly string[]): readonly ChangedValue[] {
  const each = [type].flat();
  return [
    ...(typeof type === "string" ? [] : withoutEach("type", type)),
    ...(each.includes("null") ? [] : [["type with null", [...each, "null"]] as const]),
    ...(type === "integer" ? [["type number", "number"] as const] : []),
  ];
}

function withoutFields(fields: Schema): readonly ChangedValue[] {
  return Object.keys(fields).map((field) => {
    const { [field]: _, ...others } = fields;
    return [`properties without ${field}`, others];
  });
}
