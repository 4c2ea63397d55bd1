import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Ajv, { type ErrorObject, type ValidateFunction } from "ajv";
import { GenerationFailure } from "../failure.ts";
import type { Contract } from "../model.ts";

const FOLDER = "schemas/vectors";
const SCHEMA = "conformance.v1.schema.json";

/** Fails where a file of the conformance corpus breaks the schema of such files, or is about a contract that is not there. */
export function checkVectors(root: string, contracts: readonly Contract[]): void {
  const validate = new Ajv.default({ strict: true, allowUnionTypes: true, strictRequired: false }).compile(
    JSON.parse(read(root, SCHEMA)),
  );
  const names = readdirSync(join(root, FOLDER)).filter((name) => name.endsWith(".json") && name !== SCHEMA);
  for (const name of names) checkVector(`${FOLDER}/${name}`, { text: read(root, name), validate, contracts });
}

interface VectorText {
  readonly text: string;
  readonly validate: ValidateFunction;
  readonly contracts: readonly Contract[];
}

function checkVector(place: string, { text, validate, contracts }: VectorText): void {
  const file = JSON.parse(text) as { readonly kind?: unknown; readonly contract?: unknown };
  if (!validate(file)) throw new GenerationFailure(`${place}${describe(validate.errors ?? [])}`);
  if (file.kind !== "contract" || contracts.some(({ name }) => name === file.contract)) return;
  throw new GenerationFailure(`${place}#/contract: there is no contract ${String(file.contract)} in schemas/.`);
}

/** Of all kinds of files that it could be, the deepest error tells of the one that it is. */
function describe(errors: readonly ErrorObject[]): string {
  const depth = ({ instancePath }: ErrorObject): number => instancePath.split("/").length;
  const [deepest] = [...errors].sort((first, second) => depth(second) - depth(first));
  return `#${deepest?.instancePath}: ${deepest?.message} (${JSON.stringify(deepest?.params)}).`;
}

function read(root: string, name: string): string {
  return readFileSync(join(root, FOLDER, name), "utf8");
}
