import { isObject, type Json, type JsonObject, type JsonPath, pathOf, valueAt } from "../json.ts";

/** A schema inside a schema file. A boolean schema stands as the object that means the same. */
export interface SchemaNode {
  readonly root: JsonObject;
  readonly path: JsonPath;
  readonly schema: JsonObject;
}

/** What accepts nothing. */
const NOTHING: JsonObject = { not: {} };

export function rootNode(root: JsonObject): SchemaNode {
  return { root, path: [], schema: root };
}

/** The schema at a path below a node, or undefined where there is none. */
export function nodeBelow({ root, path }: SchemaNode, below: JsonPath): SchemaNode | undefined {
  return nodeAt(root, [...path, ...below]);
}

/** The node that a reference stands for, followed to its end; undefined where it leaves the file or goes in a circle. */
export function resolved(node: SchemaNode): SchemaNode | undefined {
  const seen = new Set<string>();
  let current: SchemaNode | undefined = node;
  while (current !== undefined && typeof current.schema["$ref"] === "string") {
    const reference: string = current.schema["$ref"];
    if (!reference.startsWith("#") || seen.has(reference)) return undefined;
    seen.add(reference);
    current = nodeAt(node.root, pathOf(decodeURIComponent(reference.slice(1))));
  }
  return current;
}

function nodeAt(root: JsonObject, path: JsonPath): SchemaNode | undefined {
  const schema = asObject(valueAt(root, path));
  return schema && { root, path, schema };
}

function asObject(schema: Json | undefined): JsonObject | undefined {
  if (typeof schema === "boolean") return schema ? {} : NOTHING;
  return isObject(schema) ? schema : undefined;
}
