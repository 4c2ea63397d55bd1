import { isObject, isSame, type Json } from "../json.ts";
import type { SchemaChange } from "./schemaChange.ts";

type PropertyChange = SchemaChange & {
  readonly difference: Extract<SchemaChange["difference"], { readonly kind: "property" }>;
};

/** For a property that went and one with the same rules that came in the same object: a sentence that says so. */
export function likelyRenames(changes: readonly SchemaChange[]): ReadonlyMap<SchemaChange, string> {
  const properties = changes.filter(isProperty);
  const added = new Set(properties.filter(({ difference }) => difference.change === "added"));
  const sentences = new Map<SchemaChange, string>();
  for (const removed of properties.filter(({ difference }) => difference.change === "removed")) {
    const twin = [...added].find((each) => isTwin(removed, each));
    if (twin === undefined) continue;
    added.delete(twin);
    const from = JSON.stringify(removed.difference.name);
    const sentence = `Probably ${from} was renamed to ${JSON.stringify(twin.difference.name)}.`;
    sentences.set(removed, sentence).set(twin, sentence);
  }
  return sentences;
}

function isProperty(change: SchemaChange): change is PropertyChange {
  return change.difference.kind === "property";
}

function isTwin(removed: PropertyChange, added: PropertyChange): boolean {
  return (
    removed.old === added.old &&
    removed.difference.required === added.difference.required &&
    isSame(rulesOf(removed.difference.schema), rulesOf(added.difference.schema))
  );
}

function rulesOf(schema: Json): Json {
  if (!isObject(schema)) return schema;
  const { title, description, examples, default: preset, $comment, ...rules } = schema;
  return rules;
}
