import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { GenerationFailure } from "../failure.ts";
import type { Contract, JsonSchema } from "../model.ts";
import { pascalCase } from "../names.ts";
import { checkReferences } from "./references.ts";

const SUFFIX = ".schema.json";

/** Reads every schema of schemas/, in the order of the file names. */
export function readContracts(root: string): readonly Contract[] {
  const files = readdirSync(join(root, "schemas")).filter((name) => name.endsWith(SUFFIX));
  return files.sort(byCodeUnits).map((name) => readContract(root, name));
}

function readContract(root: string, fileName: string): Contract {
  const file = `schemas/${fileName}`;
  const schema = parse(readFileSync(join(root, file), "utf8"), file);
  if (schema.title === undefined) throw new GenerationFailure(`${file}: a contract needs a title, it names the type.`);
  const name = fileName.slice(0, -SUFFIX.length);
  const contract: Contract = { file, name, typeName: pascalCase(schema.title), schema };
  checkNames(contract);
  checkReferences(contract);
  return contract;
}

function parse(text: string, file: string): JsonSchema {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new GenerationFailure(`${file}: not JSON: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

/** The file, the `$id` and the value of the field `schema` name the same contract and version. */
function checkNames({ file, name, schema }: Contract): void {
  const id = `urn:pi-workflows:${name}`;
  if (schema.$id !== id) throw new GenerationFailure(`${file}#/$id: the name of the file asks for "${id}".`);
  const constant = schema.properties?.["schema"]?.const;
  if (constant !== undefined && constant !== `pi-workflows.${name}`) {
    const place = `${file}#/properties/schema/const`;
    throw new GenerationFailure(`${place}: the name of the file asks for "pi-workflows.${name}".`);
  }
}

/** The same order in every locale. */
function byCodeUnits(first: string, second: string): number {
  if (first === second) return 0;
  return first < second ? -1 : 1;
}
