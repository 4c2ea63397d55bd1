import { withoutReferences } from "../contracts/references.ts";
import type { Contract, JsonSchema } from "../model.ts";

/** The pattern of a text that `isStorable` refuses, as the schemas write it. */
const UNSTORABLE = "[^\\x01-\ud7ff\ue000-\udbff\udfff]";

const NOTES = ["$schema", "$id", "title", "description", "examples", "x-maxBytes", "definitions"];
const OBJECT_RULES = ["type", "additionalProperties", "required", "properties"];
const VALUE_RULES = ["type", "const", "enum", "minLength", "maxLength", "minimum", "maximum", "pattern", "not"];

/**
 * The body of a function that says of a `value` whether it keeps every rule of a contract: Ajv's own function looks for
 * all that is broken, and takes its time. Undefined for a contract that is more than an object of plain values; such a
 * one is left to Ajv.
 */
export function emitCheck(contract: Contract): string | undefined {
  const schema = withoutReferences(contract);
  const { properties = {}, required = [], additionalProperties = true } = schema;
  if (schema.type !== "object" || !hasOnly(schema, [...NOTES, ...OBJECT_RULES])) return undefined;
  if (typeof additionalProperties !== "boolean") return undefined;
  const fields = Object.entries(properties).map(([name, field]) => fieldCheck(name, field, required.includes(name)));
  if (fields.includes(undefined) || !required.every((name) => Object.hasOwn(properties, name))) return undefined;
  const closed = additionalProperties ? [] : [closedCheck(Object.keys(properties), required)];
  const rules = ['typeof value === "object"', "value !== null", "!Array.isArray(value)", ...closed, ...fields];
  return `  return (${rules.join(" && ")});`;
}

/** Whether an object has no field but the known ones. The count is enough where each of them is required anyway. */
function closedCheck(names: readonly string[], required: readonly string[]): string {
  if (required.length === names.length) return `Object.keys(value).length === ${names.length}`;
  return `Object.keys(value).every((field) => ${JSON.stringify(names)}.includes(field))`;
}

/** Only a field of its own counts: what an object inherits is never written as JSON. */
function fieldCheck(name: string, schema: JsonSchema, isRequired: boolean): string | undefined {
  const [key, field] = [JSON.stringify(name), `value[${JSON.stringify(name)}]`];
  const check = valueCheck(field, schema);
  if (check === undefined) return undefined;
  const isThere = `Object.hasOwn(value, ${key})`;
  return isRequired ? `${isThere} && ${check}` : `(${field} === undefined || !${isThere} || ${check})`;
}

function valueCheck(value: string, schema: JsonSchema): string | undefined {
  const { type, const: constant, enum: values, not } = schema;
  if (!hasOnly(schema, [...NOTES, ...VALUE_RULES]) || (not !== undefined && not.pattern !== UNSTORABLE))
    return undefined;
  const types = [type ?? []].flat();
  const [kind, ...others] = types.filter((each) => each !== "null");
  if (kind === undefined || others.length > 0) return undefined;
  const listed = constant === undefined ? values : [constant];
  if (listed !== undefined) return oneOf(value, listed, kind);
  const check = kindCheck(value, kind, schema);
  return check === undefined || !types.includes("null") ? check : `(${value} === null || ${check})`;
}

/** A listed value of the schema's type; the values of a list are texts everywhere. */
function oneOf(value: string, listed: readonly unknown[], kind: string): string | undefined {
  if (kind !== "string" || !listed.every((each) => typeof each === "string")) return undefined;
  return `(${listed.map((each) => `${value} === ${JSON.stringify(each)}`).join(" || ")})`;
}

function kindCheck(value: string, kind: string, schema: JsonSchema): string | undefined {
  switch (kind) {
    case "string":
      return textCheck(value, schema);
    case "boolean":
      return `typeof ${value} === "boolean"`;
    case "integer":
      return `(${[`Number.isInteger(${value})`, ...bounds(value, schema)].join(" && ")})`;
    default:
      return undefined;
  }
}

function textCheck(value: string, { minLength, maxLength, pattern, not }: JsonSchema): string {
  const isBounded = minLength !== undefined || maxLength !== undefined;
  const rules = [
    `typeof ${value} === "string"`,
    ...(isBounded ? [`hasLength(${value}, ${minLength ?? 0}, ${maxLength ?? "Infinity"})`] : []),
    ...(pattern === undefined ? [] : [`/${pattern.replaceAll("/", "\\/")}/u.test(${value})`]),
    ...(not === undefined ? [] : [`isStorable(${value})`]),
  ];
  return `(${rules.join(" && ")})`;
}

function bounds(value: string, { minimum, maximum }: JsonSchema): readonly string[] {
  return [
    ...(minimum === undefined ? [] : [`${value} >= ${minimum}`]),
    ...(maximum === undefined ? [] : [`${value} <= ${maximum}`]),
  ];
}

function hasOnly(schema: JsonSchema, known: readonly string[]): boolean {
  return Object.keys(schema).every((keyword) => known.includes(keyword));
}
