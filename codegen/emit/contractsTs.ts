import { compile, type JSONSchema } from "json-schema-to-typescript";
import { type ContractPart, contractParts } from "../contracts/contractParts.ts";
import { describeField } from "../contracts/fieldRules.ts";
import { GenerationFailure } from "../failure.ts";
import { linkedFields } from "../links.ts";
import type { ColumnModel, Contract, EnumModel, JsonSchema, Sources } from "../model.ts";
import { constantCase } from "../names.ts";
import { lineBanner } from "../output/banner.ts";
import { PRISMA_FILE } from "../prisma/storeModel.ts";
import { emitEnum } from "./enums.ts";

/** Types of the contracts, the enums that they share with the store, and the limits that a writer must know. */
export async function emitContractsTs(sources: Sources): Promise<string> {
  const types: string[] = [];
  for (const contract of sources.contracts) types.push(await emitType(contract, sources));
  const files = sources.contracts.map(({ file }) => file);
  return [
    lineBanner([...files, PRISMA_FILE], "//"),
    ...emitSchemaNames(sources.contracts),
    ...emitLimits(sources),
    ...contractEnums(sources).map(emitEnum),
    ...types,
  ].join("\n");
}

/** The enums whose values a field of a contract carries. */
export function contractEnums(sources: Sources): readonly EnumModel[] {
  const names = linkedFields(sources).map(({ column }) => column.rules.enumName);
  return sources.enums.filter(({ name }) => names.includes(name));
}

async function emitType(contract: Contract, sources: Sources): Promise<string> {
  const [whole, ...parts] = contractParts(contract).map((part) => [part.file, partForTypes(part, sources)] as const);
  const definitions = parts.map(([file, schema]) => [file.split("/").at(-1), schema] as const);
  const source = { ...whole?.[1], definitions: Object.fromEntries(definitions) };
  const text = await compile(source as JSONSchema, contract.typeName, {
    bannerComment: "",
    ignoreMinAndMaxItems: true,
    style: { printWidth: 120 },
  });
  return readonlyFields(text, Object.keys(contract.schema.properties ?? {}).length, contract);
}

/** A part without what types cannot say: its fields keep their descriptions, and the part its title as its name. */
function partForTypes(part: ContractPart, sources: Sources): object {
  const fields = Object.entries(part.schema.properties ?? {}).map(([name, field]) => {
    const linked = linkedFields(sources).find(({ contract, fieldName }) => contract === part && fieldName === name);
    return [name, forTypes(field, docsOf(part, name), linked?.column)] as const;
  });
  const { $id, definitions, examples, ...schema } = part.schema;
  return {
    ...schema,
    title: part.typeName,
    ...(fields.length === 0 ? {} : { properties: Object.fromEntries(fields) }),
  };
}

/** A field without its title, which would give its type a name of its own, and without what types cannot say. */
function forTypes(field: JsonSchema, description: string, column: ColumnModel | undefined): object {
  const { title, not, allOf, items, ...rest } = field;
  const enumName = column?.rules.enumName;
  return {
    ...rest,
    ...(rest.$ref === undefined ? { description } : {}),
    ...(items === undefined ? {} : { items: forTypes(items, items.description ?? "", undefined) }),
    ...(enumName === undefined ? {} : { tsType: enumName }),
  };
}

function docsOf(part: ContractPart, name: string): string {
  const field = part.schema.properties?.[name];
  return [field?.description, describeRules(part, name)].filter((each) => each !== undefined).join("\n\n");
}

function describeRules(part: ContractPart, name: string): string | undefined {
  const field = part.schema.properties?.[name];
  const typeSaysAll = field?.const !== undefined || field?.enum !== undefined || field?.type === "boolean";
  const words = typeSaysAll ? undefined : describeField(part, name);
  return words === undefined ? undefined : `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

/** Contracts are read-only values; json-schema-to-typescript has no option for it. */
function readonlyFields(text: string, expected: number, { file }: Contract): string {
  let count = 0;
  const fields = text.replace(
    /^( +)([\w$]+\??|"[^"]+"\??|\[k: string\]): /gm,
    (_match, indent: string, name: string) => {
      count += 1;
      return `${indent}readonly ${name}: `;
    },
  );
  const result = fields
    .replace(/^( +readonly [^:]+: )(\w+\[\])/gm, "$1readonly $2")
    .replaceAll(/^}\n(?=\/\*\*)/gm, "}\n\n");
  if (count < expected) throw new GenerationFailure(`${file}: the generated type lost a field.`);
  return result;
}

function emitSchemaNames(contracts: readonly Contract[]): readonly string[] {
  return contracts.flatMap(({ name, typeName, schema }) => {
    const constant = schema.properties?.["schema"]?.const;
    if (constant === undefined) return [];
    const docs = `/** The value of \`schema\` in a {@link ${typeName}}. */\n`;
    return `${docs}export const ${constantCase(name.replace(/\.v\d+$/, ""))}_SCHEMA = ${JSON.stringify(constant)};\n`;
  });
}

function emitLimits(sources: Sources): readonly string[] {
  const columns = sources.tables.flatMap(({ columns: each }) => each);
  const key = columns.find(({ rules }) => rules.key !== undefined)?.rules.key;
  const limits = columns.flatMap((column) => heldLimits(sources, column, key));
  return [...(key === undefined ? [] : [limit("KEY", "LENGTH", key, "a key, in code points")]), ...limits];
}

/** Limits of a contract that the store holds: of its text, and of its fields that are no keys. */
function heldLimits(sources: Sources, { field, rules }: ColumnModel, key: number | undefined): readonly string[] {
  const contract = sources.contracts.find(({ typeName }) => typeName === rules.holds);
  if (contract === undefined) return [];
  const fields = Object.entries(contract.schema.properties ?? {}).flatMap(([name, { maxLength }]) =>
    maxLength === undefined || maxLength === key
      ? []
      : [limit(constantCase(name), "LENGTH", maxLength, `\`${name}\` in {@link ${contract.typeName}}, in code points`)],
  );
  const bytes = rules.maxBytes;
  const text = constantCase(field.replace(/Json$/, ""));
  const docs = `the stored JSON text of {@link ${contract.typeName}}, in bytes of UTF-8`;
  return [...fields, ...(bytes === undefined ? [] : [limit(text, "BYTES", bytes, docs)])];
}

function limit(name: string, unit: "LENGTH" | "BYTES", value: number, docs: string): string {
  return `/** Limit of ${docs}. */\nexport const ${name}_MAX_${unit} = ${value};\n`;
}
