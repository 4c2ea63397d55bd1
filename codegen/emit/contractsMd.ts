import { contractRules } from "../contracts/contractRules.ts";
import { describeField } from "../contracts/fieldRules.ts";
import type { Contract, EnumModel, JsonSchema, Sources } from "../model.ts";
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
  const { file, typeName, schema } = contract;
  const others = schema.additionalProperties === false ? "Other fields are refused." : "Other fields are allowed.";
  const bytes = schema["x-maxBytes"];
  const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => [
    code(name),
    schema.required?.includes(name) === true ? "yes" : "no",
    describeValueOf(contract, name, field),
    field.description ?? "",
  ]);
  return [
    `### ${typeName}\n`,
    `${code(file)}, ${code(schema.$id ?? "")}\n`,
    `${schema.description ?? ""}\n`,
    markdownTable(["Field", "Required", "Value", "Meaning"], fields),
    `${others}${bytes === undefined ? "" : ` As JSON text it has at most ${bytes} bytes.`}\n`,
    ...(schema.examples ?? []).map((example) => `Example:\n\n${codeBlock("json", JSON.stringify(example, null, 2))}`),
  ].join("\n");
}

/** A field's rules in words; a keyword that has none is told by the sentences of the validator. */
function describeValueOf(contract: Contract, name: string, field: JsonSchema): string {
  const description = describeField(contract, name);
  if (description !== undefined) return description;
  const rules = contractRules({ ...contract, schema: { properties: { [name]: field } } });
  return rules.map(({ sentence }) => sentence.replace(/\.$/, "")).join("; ");
}

function describeEnum({ name, docs, values }: EnumModel): string {
  const rows = values.map((value) => [code(value.name), value.docs]);
  return [`### ${name}\n`, `${docs}\n`, markdownTable(["Value", "Meaning"], rows)].join("\n");
}
