import { describeColumn } from "../ddl/columnGuards.ts";
import {
  type ColumnModel,
  type Contract,
  contractOf,
  type EnumModel,
  type Sources,
  type TableModel,
} from "../model.ts";
import { camelCase, constantCase, listName } from "../names.ts";
import { lineBanner } from "../output/banner.ts";
import { PRISMA_FILE } from "../prisma/storeModel.ts";
import { contractEnums } from "./contractsTs.ts";
import { emitEnum } from "./enums.ts";
import { recordsRuntimeText } from "./recordsRuntime.ts";
import { fileOf } from "./validatorsTs.ts";

/** Rows as SQLite returns them, records as the program reads them, and the way between the two. */
export function emitRecordsTs(sources: Sources): string {
  const shared = contractEnums(sources);
  const own = sources.enums.filter((each) => !shared.includes(each));
  const held = heldContracts(sources);
  return [
    lineBanner([PRISMA_FILE, ...held.map(({ file }) => file)], "//"),
    ...emitImports(held, shared),
    ...own.map(emitEnum),
    ...sources.tables.map((table) => emitTable(sources, table)),
    recordsRuntimeText(),
  ].join("\n");
}

function emitImports(held: readonly Contract[], shared: readonly EnumModel[]): readonly string[] {
  const types = [...held.map(({ typeName }) => typeName), ...shared.map(({ name }) => name)];
  const lists = shared.map(({ name }) => listName(name));
  return [
    ...(types.length === 0 ? [] : [`import type { ${types.join(", ")} } from "./contracts.ts";`]),
    ...(lists.length === 0 ? [] : [`import { ${lists.join(", ")} } from "./contracts.ts";`]),
    'import { hasLength, isStorable } from "./textRules.ts";',
    ...held.map(
      (contract) =>
        `import { ${camelCase(contract.typeName)}Violations } from ${JSON.stringify(`./${fileOf(contract)}`)};`,
    ),
    'import type { ContractViolation } from "./violations.ts";',
    "",
    'export type { ContractViolation } from "./violations.ts";',
    "",
    DECODED,
  ];
}

const DECODED = `/** A row that was read: the record, or every rule that the row breaks. */
export type Decoded<T> =
  | { readonly ok: true; readonly record: T }
  | { readonly ok: false; readonly violations: readonly ContractViolation[] };
`;

function heldContracts(sources: Sources): readonly Contract[] {
  const names = sources.tables.flatMap(({ columns }) => columns.flatMap(({ rules }) => rules.holds ?? []));
  return sources.contracts.filter(({ typeName }) => names.includes(typeName));
}

function emitTable(sources: Sources, table: TableModel): string {
  return [
    emitRow(table),
    emitRecord(sources, table),
    emitInput(table),
    emitColumns(table),
    emitShape(sources, table),
    emitCodec(table),
  ].join("\n");
}

/** The name of a column's value in a record: a contract is the value, and not its text. */
export function recordField({ field, rules }: ColumnModel): string {
  return rules.holds === undefined ? field : field.replace(/Json$/, "");
}

function emitRow({ model, name, columns }: TableModel): string {
  const lines = columns.map((column) => `  readonly ${column.name}: ${orNull(column, rowType(column))};\n`);
  return `/** A row of \`${name}\`, as SQLite returns it. */\nexport interface ${model}Row {\n${lines.join("")}}\n`;
}

function emitRecord(sources: Sources, { model, docs, columns }: TableModel): string {
  const fields = columns.map((column) => {
    const type = contractOf(sources, column.rules.holds ?? "")?.typeName ?? recordType(column);
    return `${emitDocs(describeField(column), "  ")}  readonly ${recordField(column)}: ${orNull(column, type)};\n`;
  });
  return `${emitDocs(docs, "")}export interface ${model} {\n${fields.join("")}}\n`;
}

/** What a writer gives: nothing breaks for it when the table gains a column that may be null. */
function emitInput({ model, columns }: TableModel): string {
  const nullable = columns.filter(({ value }) => value.nullable).map((column) => JSON.stringify(recordField(column)));
  const docs = `/** A {@link ${model}} to be written: what is left out is null. */\n`;
  if (nullable.length === 0) return `${docs}export type ${model}Input = ${model};\n`;
  const names = nullable.join(" | ");
  return `${docs}export type ${model}Input = Omit<${model}, ${names}> & Partial<Pick<${model}, ${names}>>;\n`;
}

function emitColumns({ model, name, columns }: TableModel): string {
  const names = columns.map((column) => `  ${JSON.stringify(column.name)},\n`);
  return `/** The columns of \`${name}\`, in their order. */\nexport const ${constantCase(model)}_COLUMNS = [\n${names.join("")}] as const;\n`;
}

function emitShape(sources: Sources, table: TableModel): string {
  const columns = table.columns.map((column) => `    ${emitColumnShape(sources, table, column)},\n`);
  const { allOrNone, neverBoth } = table.rules;
  const groups = [
    ...allOrNone.map((fields) => `    { rule: "allOrNone", columns: ${columnNames(table, fields)} },\n`),
    ...neverBoth.map((fields) => `    { rule: "neverBoth", columns: ${columnNames(table, fields)} },\n`),
  ];
  return `const ${camelCase(table.model)}Shape: RowShape = {\n  columns: [\n${columns.join("")}  ],\n  groups: [\n${groups.join("")}  ],\n};\n`;
}

function emitColumnShape(sources: Sources, table: TableModel, column: ColumnModel): string {
  const { name, value, rules } = column;
  const { kind, nullable, minLength, maxLength, pattern, minimum, maximum, constant } = value;
  const parts = {
    name: JSON.stringify(name),
    field: JSON.stringify(recordField(column)),
    kind: JSON.stringify(kind),
    nullable: String(nullable),
    ...optional({ minLength, maxLength, minimum, maximum, constant: constant && JSON.stringify(constant) }),
    ...(pattern === undefined ? {} : { pattern: `/${pattern.replaceAll("/", "\\/")}/u` }),
    ...(value.oneOf === undefined ? {} : { oneOf: oneOf(column) }),
    ...(rules.timestamp ? { timestamp: "true" } : {}),
    ...optional({ maxBytes: rules.maxBytes }),
    ...(contractOf(sources, rules.holds ?? "") === undefined
      ? {}
      : { contract: `${camelCase(rules.holds ?? "")}Violations`, mirrors: mirrors(table, column) }),
    demand: JSON.stringify(`must be ${describeColumn(column)}.`),
  };
  const entries = Object.entries(parts).map(([key, text]) => `${key}: ${text}`);
  return `{ ${entries.join(", ")} }`;
}

function oneOf({ rules, value }: ColumnModel): string {
  return rules.enumName === undefined ? JSON.stringify(value.oneOf) : listName(rules.enumName);
}

function mirrors(table: TableModel, { rules }: ColumnModel): string {
  const pairs = (rules.mirrors ?? []).map((field) => {
    const column = table.columns.find((each) => each.field === field)?.name;
    return `{ field: ${JSON.stringify(field)}, column: ${JSON.stringify(column)} }`;
  });
  return `[${pairs.join(", ")}]`;
}

function columnNames(table: TableModel, fields: readonly string[]): string {
  return JSON.stringify(fields.map((field) => table.columns.find((column) => column.field === field)?.name));
}

function optional(parts: Readonly<Record<string, unknown>>): Record<string, string> {
  const stated = Object.entries(parts).filter(([, part]) => part !== undefined);
  return Object.fromEntries(stated.map(([key, part]) => [key, String(part)]));
}

function emitCodec({ model, name }: TableModel): string {
  const shape = `${camelCase(model)}Shape`;
  return `/** Reads a row of \`${name}\`. Nothing of the row is believed: each rule of its columns is checked. */
export function decode${model}(row: unknown): Decoded<${model}> {
  return decodeRow(${shape}, row) as Decoded<${model}>;
}

/** Writes a record as a row of \`${name}\`. */
export function encode${model}(record: ${model}Input): ${model}Row {
  return encodeRecord(${shape}, record) as unknown as ${model}Row;
}
`;
}

function describeField(column: ColumnModel): string {
  const demand = column.rules.holds === undefined ? describeColumn(column) : undefined;
  return demand === undefined ? column.docs : `${column.docs}\n\n${demand.charAt(0).toUpperCase()}${demand.slice(1)}.`;
}

function emitDocs(docs: string, indent: string): string {
  const lines = docs.split("\n");
  if (lines.length === 1) return `${indent}/** ${docs} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} *${line === "" ? "" : ` ${line}`}\n`).join("")}${indent} */\n`;
}

function orNull({ value }: ColumnModel, type: string): string {
  return value.nullable ? `${type} | null` : type;
}

function rowType(column: ColumnModel): string {
  return column.value.kind === "boolean" ? "0 | 1" : recordType(column);
}

function recordType({ value, rules }: ColumnModel): string {
  if (rules.enumName !== undefined) return rules.enumName;
  if (value.constant !== undefined) return JSON.stringify(value.constant);
  switch (value.kind) {
    case "text":
      return "string";
    case "integer":
    case "number":
      return "number";
    case "boolean":
      return "boolean";
  }
}
