import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { expect } from "vitest";
import type { Json, JsonObject } from "../../../src/contractDiff/json.ts";
import type { ChangeReport, Verdict, Witness } from "../../../src/contractDiff/report/contractDiff.ts";
import { worstOf } from "../../../src/contractDiff/report/contractDiff.ts";
import { compareSchemas } from "../../../src/contractDiff/schema/compareSchemas.ts";
import { loadCompiler } from "../../../src/contractDiff/schema/validators.ts";
import { REPOSITORY } from "../../codegen/support/repositoryCopy.ts";

/** A schema as a test edits it. */
// biome-ignore lint/suspicious/noExplicitAny: an edit reaches into any place of a schema.
export type Editable = any;

export type Contract =
  | "deferred-turn-facts.v1"
  | "deferred-turn-message.v1"
  | "natural-message-details.v1"
  | "workflow-definition.v1";

export const compile = await loadCompiler();

export function readSchema(contract: Contract): JsonObject {
  return JSON.parse(readFileSync(`${REPOSITORY}/schemas/${contract}.schema.json`, "utf8"));
}

/** What a comparison says of an edit of a real schema; every document that it shows is judged again by Ajv alone. */
export function judgeEdit(contract: Contract, edit: (schema: Editable) => void): readonly ChangeReport[] {
  const old = readSchema(contract);
  const edited: JsonObject = structuredClone(old);
  edit(edited);
  return judge(old, edited, contract);
}

export function judge(old: JsonObject, edited: JsonObject, name = "made-up"): readonly ChangeReport[] {
  const file = `schemas/${name}.schema.json`;
  const reports = compareSchemas({ file, oldFile: file, old, new: edited, documents: [] }, compile);
  for (const { witnesses } of reports) for (const witness of witnesses) expectToBehave(witness, old, edited);
  return reports;
}

export function verdictOf(reports: readonly ChangeReport[]): Verdict {
  return worstOf(reports.map(({ verdict }) => verdict));
}

/** The one document that shows the given direction. */
export function shown(reports: readonly ChangeReport[], direction: "refusedNow" | "acceptedNow"): Json | undefined {
  const found = reports.flatMap(({ witnesses }) =>
    witnesses.flatMap((each) => (each.kind === "document" && each.direction === direction ? [each.document] : [])),
  );
  return found[0];
}

export function isValid(schema: JsonObject, document: Json): boolean {
  const ajv = new Ajv({ strict: false, ownProperties: true, validateFormats: false });
  ajv.addKeyword({
    keyword: "x-maxBytes",
    validate: (limit: number, value: unknown) => Buffer.byteLength(JSON.stringify(value)) <= limit,
  });
  return ajv.validate(schema, document);
}

function expectToBehave(witness: Witness, old: JsonObject, edited: JsonObject): void {
  if (witness.kind !== "document") throw new Error(`A schema change is shown by documents, not by ${witness.kind}.`);
  const isTaken = (schema: JsonObject): boolean =>
    isValid(schema, witness.document) && (witness.textBytes ?? 0) <= Number(schema["x-maxBytes"] ?? Infinity);
  const verdicts = { old: isTaken(old), new: isTaken(edited) };
  expect(verdicts).toEqual(witness.direction === "refusedNow" ? { old: true, new: false } : { old: false, new: true });
}
