import { type Change, changed, joined, type TextParts, writtenOut } from "../../conformance/notation.ts";
import { isObject, type Json, type JsonObject } from "../json.ts";

/** The documents of a conformance corpus, valid and not, by the contract that they are about. */
export function vectorDocuments(files: readonly string[]): ReadonlyMap<string, readonly Json[]> {
  const documents = new Map<string, readonly Json[]>();
  for (const file of files.flatMap(parsed)) {
    const { contract, base, cases } = file;
    if (typeof contract !== "string" || !isObject(base) || !Array.isArray(cases)) continue;
    const found = (cases as readonly Json[]).flatMap((each) => (isObject(each) ? documentOf(base, each) : []));
    documents.set(contract, [...(documents.get(contract) ?? []), ...found]);
  }
  return documents;
}

function documentOf(base: JsonObject, vector: JsonObject): readonly Json[] {
  if (vector["base64"] !== undefined) return [];
  const text = vector["text"];
  if (text !== undefined) return parsed(joined(text as TextParts));
  const value = "document" in vector ? writtenOut(vector["document"]) : changed(base, vector as Change);
  return [value as Json];
}

/** What is no JSON is no document, and the corpus has such cases. */
function parsed(text: string): readonly JsonObject[] {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? [value] : [];
  } catch {
    return [];
  }
}
