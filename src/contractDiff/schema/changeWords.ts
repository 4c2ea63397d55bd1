import { isObject, type Json, pointerOf } from "../json.ts";
import type { SchemaChange } from "./schemaChange.ts";

/** Where a change stands, as a JSON pointer into the side that has it. */
export function pointerOfChange({ difference, old, new: newNode }: SchemaChange): string {
  const isGone = (difference.kind === "property" || difference.kind === "member") && difference.change === "removed";
  const node = isGone ? old : newNode;
  return pointerOf([...node.path, ...keywordPath(difference)]);
}

function keywordPath(difference: SchemaChange["difference"]): readonly string[] {
  switch (difference.kind) {
    case "annotation":
    case "member":
      return [difference.keyword];
    case "property":
      return ["properties", difference.name];
    case "keyword":
      return difference.entry === undefined ? [difference.keyword] : [difference.keyword, difference.entry];
    case "identity":
      return ["$id"];
    case "foreignReference":
      return [];
  }
}

/** What changed, in a sentence. */
export function changeSentence({ difference }: SchemaChange): string {
  switch (difference.kind) {
    case "annotation":
      return `The words of ${difference.keyword} changed.`;
    case "identity":
      return `The name changed from ${short(difference.before)} to ${short(difference.after)}.`;
    case "foreignReference":
      return "A reference leaves the file or goes in a circle.";
    case "property":
      return `The ${difference.required ? "required" : "optional"} property ${short(difference.name)} was ${difference.change}.`;
    case "member":
      return memberSentence(difference);
    case "keyword":
      return keywordSentence(difference);
  }
}

type Of<Kind> = Extract<SchemaChange["difference"], { readonly kind: Kind }>;

function memberSentence({ keyword, change, member }: Of<"member">): string {
  switch (keyword) {
    case "required":
      return `The property ${short(member)} became ${change === "added" ? "required" : "optional"}.`;
    case "enum":
      return `The value ${short(member)} was ${change}.`;
    case "type":
      return `The type ${short(member)} was ${change}.`;
    case "allOf":
    case "anyOf":
    case "oneOf":
      return `A branch of ${keyword} was ${change}: ${short(titleOf(member))}.`;
  }
}

function keywordSentence({ keyword, entry, before, after }: Of<"keyword">): string {
  const name = entry === undefined ? keyword : `${keyword} for ${short(entry)}`;
  if (before === undefined) return `The rule ${name} was added: ${short(after)}.`;
  if (after === undefined) return `The rule ${name} was removed; it was ${short(before)}.`;
  return `The rule ${name} changed from ${short(before)} to ${short(after)}.`;
}

function titleOf(schema: Json): Json {
  return isObject(schema) ? (schema["title"] ?? schema["$ref"] ?? schema) : schema;
}

function short(value: Json | undefined): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length <= 120 ? text : `${text.slice(0, 117)}…`;
}
