import { isObject, isSame, type Json, type JsonObject, type JsonPath, valueAt, withValueAt } from "../json.ts";
import type { Difference, SchemaChange } from "./schemaChange.ts";

/** The old schema with this one change made: it tells what the change does by itself. */
export function withChange({ difference, old, new: newNode }: SchemaChange): JsonObject {
  return edited({ root: old.root, path: old.path, difference, definitionsOf: newNode.root });
}

/** The new schema with this one change taken back. */
export function withoutChange({ difference, old, new: newNode }: SchemaChange): JsonObject {
  return edited({ root: newNode.root, path: newNode.path, difference: reversed(difference), definitionsOf: old.root });
}

interface Edit {
  readonly root: JsonObject;
  readonly path: JsonPath;
  readonly difference: Difference;
  /** The other side, whose definitions the changed part may refer to. */
  readonly definitionsOf: JsonObject;
}

function edited({ root, path, difference, definitionsOf }: Edit): JsonObject {
  const schema = valueAt(root, path);
  const changed = withValueAt(root, path, editedNode(isObject(schema) ? schema : {}, difference));
  return { ...(isObject(changed) ? changed : {}), ...sharedDefinitions(definitionsOf, changed) };
}

function sharedDefinitions(others: JsonObject, own: Json): JsonObject {
  const theirs = others["definitions"];
  const ours = isObject(own) ? own["definitions"] : undefined;
  if (!isObject(theirs)) return {};
  return { definitions: { ...theirs, ...(isObject(ours) ? ours : {}) } };
}

function editedNode(schema: JsonObject, difference: Difference): Json {
  switch (difference.kind) {
    case "property":
      return withProperty(schema, difference);
    case "member": {
      const { keyword, change, member } = difference;
      return withValueAt(schema, [keyword], listWith(schema[keyword], change, member));
    }
    case "keyword": {
      const { keyword, entry, after } = difference;
      return withValueAt(schema, entry === undefined ? [keyword] : [keyword, entry], after);
    }
    case "identity":
    case "annotation":
    case "foreignReference":
      return schema;
  }
}

function withProperty(schema: JsonObject, { change, name, schema: property, required }: PropertyDifference): Json {
  const changed = withValueAt(schema, ["properties", name], change === "added" ? property : undefined);
  if (!required) return changed;
  return withValueAt(changed, ["required"], listWith(schema["required"], change, name));
}

type PropertyDifference = Extract<Difference, { readonly kind: "property" }>;

function listWith(list: Json | undefined, change: "added" | "removed", member: Json): readonly Json[] {
  const members: readonly Json[] = list === undefined ? [] : Array.isArray(list) ? list : [list];
  const others = members.filter((each) => !isSame(each, member));
  return change === "added" ? [...others, member] : others;
}

function reversed(difference: Difference): Difference {
  switch (difference.kind) {
    case "property":
    case "member":
      return { ...difference, change: difference.change === "added" ? "removed" : "added" };
    case "keyword":
    case "identity":
      return { ...difference, before: difference.after, after: difference.before };
    case "annotation":
    case "foreignReference":
      return difference;
  }
}
