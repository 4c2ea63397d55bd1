import { checkAgreement } from "../../codegen/agreement.ts";
import { GenerationFailure } from "../../codegen/failure.ts";
import { PRISMA_FILE } from "../../codegen/prisma/storeModel.ts";
import { pairSchemas } from "./pairSchemas.ts";
import { compareModels } from "./prisma/compareModels.ts";
import { loadDataModelReader, type ReadDataModel } from "./prisma/dataModel.ts";
import { readSources, type SchemaFile } from "./prisma/readSources.ts";
import { storedDocuments } from "./prisma/storedDocuments.ts";
import { type StoreSide, storeSide } from "./prisma/storeSide.ts";
import {
  type ChangeReport,
  type ContractDiff,
  type Effect,
  type SubjectReport,
  subjectReport,
  verdictOf,
  worstOf,
} from "./report/contractDiff.ts";
import { compareSchemas } from "./schema/compareSchemas.ts";
import { type CompileSchema, loadCompiler } from "./schema/validators.ts";
import type { ContractSide } from "./sides/contractSide.ts";

/**
 * What a change of the contracts does to readers of old documents, to writers and to stored rows, with a document, a row or
 * a store that proves each break.
 *
 * @throws ContractDiffFailure where a side cannot be read, or a package that the comparison needs is not installed
 */
export async function compareContracts(old: ContractSide, current: ContractSide): Promise<ContractDiff> {
  const compile = await loadCompiler();
  const { pairs, removed, added } = pairSchemas(old.schemas, current.schemas);
  const contracts = pairs.map(([before, after]): SubjectReport => {
    const documents = [...(old.documents.get(before.name) ?? []), ...(current.documents.get(after.name) ?? [])];
    const pair = { file: after.file, oldFile: before.file, old: before.schema, new: after.schema, documents };
    return subjectReport("contract", after.name, [...renamedFile(before, after), ...compareSchemas(pair, compile)]);
  });
  const subjects = [
    ...(await withStore(contracts, { old, current, compile })),
    ...removed.map(removedContract),
    ...added.map(addedContract),
  ];
  return { old: old.label, new: current.label, verdict: worstOf(subjects.map(({ verdict }) => verdict)), subjects };
}

interface Comparison {
  readonly old: ContractSide;
  readonly current: ContractSide;
  readonly compile: CompileSchema;
}

/** The reports of the contracts with what their changes do to stored rows, and after them those of the tables. */
async function withStore(
  contracts: readonly SubjectReport[],
  comparison: Comparison,
): Promise<readonly SubjectReport[]> {
  const { old, current, compile } = comparison;
  if (old.model === undefined && current.model === undefined) return contracts;
  if (old.model === undefined || current.model === undefined) return [...contracts, onOneSide(old)];
  const read = await loadDataModelReader();
  try {
    const sides = {
      old: await generated(old.model, old.schemas, { read, compile }),
      new: await generated(current.model, current.schemas, { read, compile }),
    };
    const contractsDiffer = contracts.some(({ verdict }) => verdict !== "noChange");
    return [
      ...storedDocuments(contracts, sides),
      ...compareModels({ ...sides, contractsDiffer }, compile),
      ...disagreement(sides.new),
    ];
  } catch (error) {
    if (!(error instanceof GenerationFailure)) throw error;
    return [...contracts, look(`The store of one side cannot be generated: ${error.message}`, NOT_COMPARED)];
  }
}

interface Tools {
  readonly read: ReadDataModel;
  readonly compile: CompileSchema;
}

async function generated(model: string, schemas: readonly SchemaFile[], { read, compile }: Tools): Promise<StoreSide> {
  return storeSide(await readSources(model, schemas, read), compile);
}

/** `npm run generate` refuses sources that say different things about the same value. */
function disagreement({ sources }: StoreSide): readonly SubjectReport[] {
  try {
    checkAgreement(sources);
    return [];
  } catch (error) {
    if (!(error instanceof GenerationFailure)) throw error;
    return [
      look(`The new contracts and the new model do not agree: ${error.message}`, "Nothing can be generated from them."),
    ];
  }
}

function onOneSide({ model }: ContractSide): SubjectReport {
  const change = model === undefined ? "added" : "removed";
  return look(`The Prisma model was ${change}: there is nothing to compare it with.`, NOT_COMPARED);
}

const NOT_COMPARED = "Look at it: the store was not compared.";

function look(sentence: string, why: string): SubjectReport {
  const effects: readonly Effect[] = [{ party: "storedRows", harm: "unproven", sentence: why }];
  return subjectReport("store", PRISMA_FILE, [
    { place: PRISMA_FILE, what: sentence, verdict: "unproven", why, effects, witnesses: [] },
  ]);
}

/** Programs import a schema by the path of its file. Files that are named one by one to be compared have no path. */
function renamedFile(old: SchemaFile, current: SchemaFile): readonly ChangeReport[] {
  const isPublished = old.file.includes("/") && current.file.includes("/");
  if (old.name === current.name || !isPublished) return [];
  const sentence = `Programs that import ./${old.file} do not find it.`;
  const effects = (["oldWriters", "oldReaders"] as const).map((party) => ({
    party,
    harm: "broken" as const,
    sentence,
  }));
  const what = `The file ${old.file} was renamed to ${current.file}.`;
  return [{ place: current.file, what, verdict: verdictOf(effects), why: sentence, effects, witnesses: [] }];
}

function removedContract({ file, name }: SchemaFile): SubjectReport {
  const sentence = "No contract of this name is left that could accept its documents.";
  const effects = (["oldDocuments", "oldWriters"] as const).map((party) => ({
    party,
    harm: "broken" as const,
    sentence,
  }));
  const what = "The contract was removed.";
  return subjectReport("contract", name, [
    { place: file, what, verdict: "break", why: sentence, effects, witnesses: [] },
  ]);
}

function addedContract({ file, name }: SchemaFile): SubjectReport {
  const why = "Nothing was promised under this name before.";
  const what = "The contract was added.";
  return subjectReport("contract", name, [
    { place: file, what, verdict: "compatible", why, effects: [], witnesses: [] },
  ]);
}
