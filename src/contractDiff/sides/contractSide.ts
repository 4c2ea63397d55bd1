import { ContractDiffFailure } from "../contractDiffFailure.ts";
import { isObject, type Json, type JsonObject } from "../json.ts";
import type { SchemaFile } from "../prisma/readSources.ts";
import type { SourceTree } from "./sourceTree.ts";
import { vectorDocuments } from "./vectorDocuments.ts";

/** One side of a comparison. */
export interface ContractSide {
  readonly label: string;
  readonly schemas: readonly SchemaFile[];
  /** The text of the Prisma model, where there is one. */
  readonly model: string | undefined;
  /** Documents of a conformance corpus, by the name of the contract. */
  readonly documents: ReadonlyMap<string, readonly Json[]>;
}

const SCHEMA = ".schema.json";

/**
 * Reads a side: `schemas/*.schema.json` and `prisma/schema.prisma`, or the schemas and the model in the folder itself, or a
 * single file of either kind.
 *
 * @throws ContractDiffFailure where there is nothing to compare, or a schema is no JSON object
 */
export function readSide(tree: SourceTree): ContractSide {
  const names = tree.filesOf("");
  const schemaPaths = filesOf(tree, "schemas", (name) => name.endsWith(SCHEMA), names);
  const single = names.length === 1 ? names.filter((name) => name.endsWith(".json")) : [];
  const paths = schemaPaths.length > 0 ? schemaPaths : single;
  const [modelPath] = filesOf(tree, "prisma", (name) => name.endsWith(".prisma"), names);
  if (paths.length === 0 && modelPath === undefined) {
    throw new ContractDiffFailure(`${tree.label} has no schemas (*${SCHEMA}) and no Prisma model (schema.prisma).`);
  }
  const vectors = filesOf(tree, "schemas/vectors", (name) => name.endsWith(".json") && !name.endsWith(SCHEMA), []);
  return {
    label: tree.label,
    schemas: paths.toSorted().map((path) => readSchema(tree, path)),
    model: modelPath === undefined ? undefined : tree.read(modelPath),
    documents: vectorDocuments(vectors.map((path) => tree.read(path))),
  };
}

/** The files of a folder that are meant, or else those that stand beside it. */
function filesOf(
  tree: SourceTree,
  folder: string,
  isMeant: (name: string) => boolean,
  beside: readonly string[],
): readonly string[] {
  const inside = tree.filesOf(folder).filter(isMeant);
  return inside.length > 0 ? inside.map((name) => `${folder}/${name}`) : beside.filter(isMeant);
}

function readSchema(tree: SourceTree, file: string): SchemaFile {
  const name = file.slice(file.lastIndexOf("/") + 1).replace(/(\.schema)?\.json$/, "");
  return { file, name, schema: parse(tree.read(file), `${tree.label}: ${file}`) };
}

function parse(text: string, place: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new ContractDiffFailure(`${place} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (!isObject(value)) throw new ContractDiffFailure(`${place} is no schema: it is not a JSON object.`);
  return value;
}
