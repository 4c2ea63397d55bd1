import { isObject, type Json, type JsonObject, type JsonPath } from "../json.ts";
import { regexSamples } from "./regexSamples.ts";
import type { Route, Step } from "./schemaChange.ts";
import { nodeBelow, resolved, rootNode, type SchemaNode } from "./schemaNode.ts";

/** How deep a sample may nest; members that need not be there are left out, so only a circle gets so far. */
const DEEPEST = 16;

/** The side of a comparison: it says which index a branch has. */
export type Side = "old" | "new";

/**
 * A document that has a value at the end of a route. It is made from the schema's own words and probably valid; a
 * validator must say whether it is.
 */
export function sampleDocument(root: JsonObject, route: Route, side: Side): Json {
  return sampleAlong(rootNode(root), route, side);
}

/** A value that a schema probably accepts. */
export function sampleValue(node: SchemaNode, depth = 0): Json {
  const { schema } = flattened(node);
  const listed = schema["const"] ?? firstOf(schema["enum"]);
  if (listed !== undefined) return listed;
  if (depth > DEEPEST) return null;
  switch (typeOf(schema)) {
    case "string":
      return sampleText(schema);
    case "number":
    case "integer":
      return sampleNumber(schema);
    case "boolean":
      return false;
    case "array":
      return Array.from({ length: numberOf(schema["minItems"], 0) }, () =>
        sampleValue(inside(node, schema["items"] ?? {}), depth + 1),
      );
    case "object":
      return sampleObject(node, schema, depth);
    default:
      return null;
  }
}

/** One schema with everything that `allOf` and the first branch of `oneOf` and `anyOf` add to it. */
export function flattened(node: SchemaNode, depth = 0): SchemaNode {
  const end = resolved(node) ?? node;
  if (depth > DEEPEST) return end;
  const { allOf, anyOf, oneOf, ...own } = end.schema;
  const branches = [...listOf(allOf), ...listOf(anyOf).slice(0, 1), ...listOf(oneOf).slice(0, 1)];
  const schema = branches.reduce<JsonObject>(
    (before, branch) => merged(before, flattened(inside(end, branch), depth + 1).schema),
    own,
  );
  return { ...end, schema };
}

/** A value for each branch of `oneOf` and `anyOf`. */
export function branchSamples(node: SchemaNode): readonly Json[] {
  const end = resolved(node) ?? node;
  return ["oneOf", "anyOf"].flatMap((keyword) =>
    listOf(end.schema[keyword]).map((branch) => sampleValue(inside(end, { ...end.schema, [keyword]: [branch] }))),
  );
}

/** A schema that stands somewhere inside another, so that its references are to the same file. */
function inside({ root, path }: SchemaNode, schema: Json): SchemaNode {
  return { root, path, schema: isObject(schema) ? schema : {} };
}

function sampleAlong(node: SchemaNode, [step, ...rest]: Route, side: Side): Json {
  if (step === undefined) return sampleValue(node);
  const end = resolved(node) ?? node;
  const next = nodeBelow(end, below(step, side));
  const inside = next === undefined ? null : sampleAlong(next, rest, side);
  switch (step.kind) {
    case "same":
      return mergedValues(sampleValue(withoutKeyword(end, step.keyword)), step.keyword === "not" ? null : inside);
    case "property":
      return { ...asObject(sampleValue(end)), [step.name]: inside };
    case "anyProperty":
      return { ...asObject(sampleValue(end)), [memberName(step.pattern)]: inside };
    case "propertyName":
      return { ...asObject(sampleValue(end)), x: null };
    case "item": {
      const others = sampleValue(end);
      return [inside, ...(Array.isArray(others) ? others.slice(1) : [])];
    }
  }
}

function below(step: Step, side: Side): JsonPath {
  switch (step.kind) {
    case "same":
      return side === "old" ? step.oldBelow : step.newBelow;
    case "property":
      return ["properties", step.name];
    case "anyProperty":
      return step.pattern === undefined ? ["additionalProperties"] : ["patternProperties", step.pattern];
    case "propertyName":
      return ["propertyNames"];
    case "item":
      return step.index === undefined ? [step.keyword] : [step.keyword, String(step.index)];
  }
}

function sampleObject(node: SchemaNode, schema: JsonObject, depth: number): Json {
  const required = Array.isArray(schema["required"]) ? schema["required"].map(String) : [];
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  return Object.fromEntries(
    required.map((name) => {
      const property = properties[name];
      return [name, property === undefined ? null : sampleValue(inside(node, property), depth + 1)] as const;
    }),
  );
}

function sampleText({ pattern, minLength, maxLength }: JsonObject): string {
  const least = numberOf(minLength, 0);
  const most = numberOf(maxLength, Number.POSITIVE_INFINITY);
  const samples = typeof pattern === "string" ? regexSamples(pattern) : [""];
  const padded = samples.flatMap((each) => [each, each + "a".repeat(Math.max(0, least - [...each].length))]);
  return padded.find((each) => [...each].length >= least && [...each].length <= most) ?? "a".repeat(least);
}

function sampleNumber({ minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf }: JsonObject): number {
  const step = numberOf(multipleOf, 1);
  if (typeof minimum === "number") return Math.ceil(minimum / step) * step;
  if (typeof exclusiveMinimum === "number") return (Math.floor(exclusiveMinimum / step) + 1) * step;
  if (typeof maximum === "number") return Math.floor(maximum / step) * step;
  return typeof exclusiveMaximum === "number" ? (Math.ceil(exclusiveMaximum / step) - 1) * step : 0;
}

/** The type to make a value of: the first that is not null, or what the other keywords tell of. */
function typeOf({ type, ...rules }: JsonObject): string {
  const stated = Array.isArray(type) ? type.find((each) => each !== "null") : type;
  if (typeof stated === "string") return stated;
  if (rules["properties"] !== undefined || rules["required"] !== undefined) return "object";
  if (rules["items"] !== undefined) return "array";
  return rules["minimum"] === undefined && rules["maximum"] === undefined ? "string" : "number";
}

function merged(first: JsonObject, second: JsonObject): JsonObject {
  const properties = { ...asObject(first["properties"]), ...asObject(second["properties"]) };
  const required = [...listOf(first["required"]), ...listOf(second["required"])];
  return { ...first, ...second, properties, ...(required.length === 0 ? {} : { required: [...new Set(required)] }) };
}

function mergedValues(first: Json, second: Json): Json {
  if (second === null) return first;
  return isObject(first) && isObject(second) ? { ...first, ...second } : second;
}

function withoutKeyword(node: SchemaNode, keyword: string): SchemaNode {
  return { ...node, schema: Object.fromEntries(Object.entries(node.schema).filter(([name]) => name !== keyword)) };
}

function memberName(pattern: string | undefined): string {
  return pattern === undefined ? "x" : (regexSamples(pattern).find((each) => each !== "") ?? "x");
}

const asObject = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});
const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);
const firstOf = (value: Json | undefined): Json | undefined => listOf(value)[0];
const numberOf = (value: Json | undefined, otherwise: number): number =>
  typeof value === "number" ? value : otherwise;
