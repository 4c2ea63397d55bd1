import type { Json } from "../json.ts";
import type { SchemaChange } from "./schemaChange.ts";
import type { Direction, SchemaWitness } from "./schemaWitnesses.ts";

/** A document whose JSON text only one side takes, for the number of its bytes. */
export interface TextWitness extends SchemaWitness {
  readonly direction: Direction;
}

/**
 * Programs measure the text that they are given, white space included, against `x-maxBytes`. A document that both schemas
 * take, with as many spaces as the higher limit allows, tells two limits apart even where other rules keep documents without
 * white space below both.
 */
export function textWitness({ difference, new: { path } }: SchemaChange, document: Json): TextWitness | undefined {
  if (difference.kind !== "keyword" || difference.keyword !== "x-maxBytes" || path.length > 0) return undefined;
  const [before, after] = [difference.before, difference.after].map((limit) =>
    typeof limit === "number" ? limit : Number.POSITIVE_INFINITY,
  );
  if (before === undefined || after === undefined || before === after) return undefined;
  const lower = Math.min(before, after);
  const textBytes = Math.min(Math.max(before, after), lower + 1);
  if (Buffer.byteLength(JSON.stringify(document)) > lower) return undefined;
  const refusal = `the document must have at most ${lower} bytes of UTF-8 as JSON text`;
  return { direction: after < before ? "refusedNow" : "acceptedNow", document, textBytes, refusal };
}
