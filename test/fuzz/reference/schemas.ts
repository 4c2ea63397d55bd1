import { readFileSync } from "node:fs";
import Ajv from "ajv";

/** The contracts by the beginnings of their files' names. */
export type ContractName =
  | "deferred-turn-facts"
  | "deferred-turn-message"
  | "natural-message-details"
  | "workflow-definition";

// Nothing of how the generated validators are compiled is used here: only the schemas as they stand in their files.
const ajv = new Ajv.default({ strict: false, validateFormats: false });
const compiled = new Map<ContractName, (value: unknown) => unknown>();

/** Whether a value keeps the schema of a contract, compiled now from its file. */
export function keepsSchema(contract: ContractName, value: unknown): boolean {
  let validate = compiled.get(contract);
  if (validate === undefined) {
    const file = new URL(`../../../schemas/${contract}.v1.schema.json`, import.meta.url);
    validate = ajv.compile(JSON.parse(readFileSync(file, "utf8")));
    compiled.set(contract, validate);
  }
  return validate(value) === true;
}
