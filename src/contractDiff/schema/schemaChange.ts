import type { Json, JsonPath } from "../json.ts";
import type { SchemaNode } from "./schemaNode.ts";

/** How to get from a document to the values that a schema judges, one step a keyword. */
export type Step =
  | { readonly kind: "property"; readonly name: string }
  /** Any member: those that `additionalProperties` judges, or that match a pattern of `patternProperties`. */
  | { readonly kind: "anyProperty"; readonly pattern?: string }
  | { readonly kind: "item"; readonly keyword: string; readonly index?: number }
  /** Another schema for the same value: a branch of `oneOf`, `not`, `then` … */
  | { readonly kind: "same"; readonly keyword: string; readonly oldBelow: JsonPath; readonly newBelow: JsonPath }
  /** The name of a member, which `propertyNames` judges. */
  | { readonly kind: "propertyName" };

export type Route = readonly Step[];

/** What differs between two schemas for the same values. */
export type Difference =
  /** Words that no validator reads. */
  | { readonly kind: "annotation"; readonly keyword: string }
  /** The `$id` of the file. */
  | { readonly kind: "identity"; readonly before: Json | undefined; readonly after: Json | undefined }
  /** A reference out of the file. */
  | { readonly kind: "foreignReference" }
  /** One property of `properties`, with its place in `required`. */
  | {
      readonly kind: "property";
      readonly change: "added" | "removed";
      readonly name: string;
      readonly schema: Json;
      readonly required: boolean;
    }
  /** One member of a list whose order means nothing. */
  | {
      readonly kind: "member";
      readonly keyword: "enum" | "type" | "required" | "allOf" | "anyOf" | "oneOf";
      readonly change: "added" | "removed";
      readonly member: Json;
    }
  /** Any other keyword, or one entry of a keyword that holds schemas by name. */
  | {
      readonly kind: "keyword";
      readonly keyword: string;
      readonly entry?: string;
      readonly before: Json | undefined;
      readonly after: Json | undefined;
    };

/** A difference and where it stands. */
export interface SchemaChange {
  readonly difference: Difference;
  /** The schema that holds the keyword, on either side. */
  readonly old: SchemaNode;
  readonly new: SchemaNode;
  /** Ways from a document to the values that it judges; the shortest is first. */
  readonly routes: readonly Route[];
}
