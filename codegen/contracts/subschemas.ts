import type { JsonSchema } from "../model.ts";

/** Keywords whose value is a schema, a list of schemas, or schemas by name. A field may have the name of a keyword. */
const SINGLE = ["additionalProperties", "contains", "else", "if", "items", "not", "propertyNames", "then"];
const LISTS = ["allOf", "anyOf", "oneOf"];
const NAMED = ["definitions", "patternProperties", "properties"];

type Change = (schema: JsonSchema) => JsonSchema;

/** A schema with each schema directly inside it changed. */
export function mapSubschemas(schema: JsonSchema, change: Change): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [keyword, mapped(keyword, value, change)]),
  );
}

/** The schemas directly inside a schema. */
export function subschemasOf(schema: JsonSchema): readonly JsonSchema[] {
  const found: JsonSchema[] = [];
  mapSubschemas(schema, (each) => {
    found.push(each);
    return each;
  });
  return found;
}

function mapped(keyword: string, value: unknown, change: Change): unknown {
  if (SINGLE.includes(keyword)) return typeof value === "boolean" ? value : change(value as JsonSchema);
  if (LISTS.includes(keyword)) return (value as readonly JsonSchema[]).map(change);
  if (!NAMED.includes(keyword)) return value;
  const schemas = Object.entries(value as Readonly<Record<string, JsonSchema>>);
  return Object.fromEntries(schemas.map(([name, each]) => [name, change(each)]));
}
