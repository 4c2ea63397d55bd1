import type { Contract, Sources } from "../../../codegen/model.ts";
import { pascalCase } from "../../../codegen/names.ts";
import { readLayoutSql } from "../../../codegen/prisma/layoutSql.ts";
import { PRISMA_FILE, readEnums, readTables } from "../../../codegen/prisma/storeModel.ts";
import type { JsonObject } from "../json.ts";
import { STORE_PEERS, withPeers } from "../peers.ts";
import type { ReadDataModel } from "./dataModel.ts";

/** A contract's schema and its file, as a column can hold it. */
export interface SchemaFile {
  readonly file: string;
  readonly name: string;
  readonly schema: JsonObject;
}

/** What the model and the contracts of one side say, as the generator reads them. */
export async function readSources(
  model: string,
  schemas: readonly SchemaFile[],
  readDataModel: ReadDataModel,
): Promise<Sources> {
  const dataModel = readDataModel(model, PRISMA_FILE);
  const layout = await withPeers(STORE_PEERS, () => readLayoutSql(model));
  const enums = readEnums(dataModel);
  return { contracts: schemas.map(contractOf), enums, tables: readTables(dataModel, enums, layout) };
}

function contractOf({ file, name, schema }: SchemaFile): Contract {
  return { file, name, typeName: pascalCase(String(schema["title"] ?? name)), schema: schema as Contract["schema"] };
}
