import { readFileSync } from "node:fs";
import { join } from "node:path";
import { checkAgreement } from "./agreement.ts";
import { checkVectors } from "./contracts/conformanceVectors.ts";
import { readContracts } from "./contracts/contractSources.ts";
import { emitContractsMd } from "./emit/contractsMd.ts";
import { emitContractsTs } from "./emit/contractsTs.ts";
import { emitDdlSql, emitDdlTs } from "./emit/ddl.ts";
import { emitRecordsTs } from "./emit/recordsTs.ts";
import { emitValidators } from "./emit/validatorsTs.ts";
import type { Sources } from "./model.ts";
import { formatTypeScript } from "./output/format.ts";
import { withLineFeeds } from "./output/lineEnds.ts";
import { readDataModel } from "./prisma/dataModel.ts";
import { readLayoutSql } from "./prisma/layoutSql.ts";
import { PRISMA_FILE, readEnums, readTables } from "./prisma/storeModel.ts";

/** The text of each file of generated/, by its name. */
export type GeneratedFiles = ReadonlyMap<string, string>;

/** Reads schemas/ and prisma/ below the root of a repository, checks them, and writes nothing. */
export async function generate(root: string): Promise<GeneratedFiles> {
  const sources = await readSources(root);
  checkAgreement(sources);
  checkVectors(root, sources.contracts);
  const files: readonly (readonly [string, string])[] = [
    ["contracts.ts", await emitContractsTs(sources)],
    ...emitValidators(sources),
    ["records.ts", emitRecordsTs(sources)],
    ["ddl.ts", emitDdlTs(sources)],
    ["ddl.sql", emitDdlSql(sources)],
    ["CONTRACTS.md", emitContractsMd(sources)],
  ];
  return new Map(files.map(([name, text]) => [name, name.endsWith(".ts") ? formatTypeScript(name, text) : text]));
}

/** What the sources below the root of a repository say. */
export async function readSources(root: string): Promise<Sources> {
  const contracts = readContracts(root);
  const model = readDataModel(root);
  const enums = readEnums(model);
  const schema = withLineFeeds(readFileSync(join(root, PRISMA_FILE), "utf8"));
  return { contracts, enums, tables: readTables(model, enums, await readLayoutSql(schema)) };
}
