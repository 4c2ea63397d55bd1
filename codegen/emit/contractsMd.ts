import { type ContractPart, contractParts } from "../contracts/contractParts.ts";
import { fieldMeaning, fieldWords, referredType } from "../contracts/fieldWords.ts";
import type { Contract, EnumModel, Sources } from "../model.ts";
import { markdownBanner } from "../output/banner.ts";
import { PRISMA_FILE } from "../prisma/storeModel.ts";
import { code, codeBlock, markdownTable } from "./markdown.ts";
import { describeTable } from "./tablesMd.ts";

/** What a reviewer of a contract change reads in the diff: the contracts, the enums, the tables and their guards. */
export function emitContractsMd(sources: Sources): string {
  const files = sources.contracts.map(({ file }) => file);
  return [
    `${markdownBanner([...files, PRISMA_FILE])}`,
    INTRODUCTION,
    "## Contracts\n",
    ...sources.contracts.map(describeContract),
    "## Enums\n",
    ...sources.enums.map(describeEnum),
    "## Tables\n",
    ...sources.tables.map((table) => describeTable(sources, table)),
  ].join("\n");
}

const INTRODUCTION = `# Contracts and tables

The messages and rows that programs share: what each field and column holds, and what the database refuses.

Lengths are counted in characters (Unicode code points), bytes in UTF-8. No text contains U+0000 or a lone surrogate.
`;

function describeContract(contract: Contract): string {
  const { file, schema } = contract;
  const [whole = "", ...parts] = contractParts(contract).map((part) => describePart(contract, part));
  return [
    `### ${contract.typeName}\n`,
    `${code(file)}, ${code(schema.$id ?? "")}\n`,
    whole,
    ...(schema.examples ?? []).map((example) => `Example:\n\n${codeBlock("json", JSON.stringify(example, null, 2))}`),
    ...parts,
  ].join("\n");
}

/** One object of a contract; a definition gets a heading of its own. */
function describePart(contract: Contract, part: ContractPart): string {
  const { schema, typeName } = part;
  const heading = part === contract ? [] : [`#### ${typeName}\n`];
  return [...heading, `${schema.description ?? ""}\n`, describeShape(contract, part)].join("\n");
}

function describeShape(contract: Contract, part: ContractPart): string {
  const { properties, oneOf = [], required, additionalProperties, "x-maxBytes": bytes } = part.schema;
  if (properties === undefined) {
    const types = oneOf.map(({ $ref = "" }) => code(referredType(contract, $ref)));
    return `One of ${types.join(", ")}.\n`;
  }
  const rows = Object.entries(properties).map(([name, field]) => [
    code(name),
    required?.includes(name) === true ? "yes" : "no",
    fieldWords(contract, part, name),
    fieldMeaning(contract, field),
  ]);
  const others = additionalProperties === false ? "Other fields are refused." : "Other fields are allowed.";
  return [
    markdownTable(["Field", "Required", "Value", "Meaning"], rows),
    `${others}${bytes === undefined ? "" : ` As JSON text it has at most ${bytes} bytes.`}\n`,
  ].join("\n");
}

function describeEnum({ name, docs, values }: EnumModel): string {
  const rows = values.map((value) => [code(value.name), value.docs]);
  return [`### ${name}\n`, `${docs}\n`, markdownTable(["Value", "Meaning"], rows)].join("\n");
}
