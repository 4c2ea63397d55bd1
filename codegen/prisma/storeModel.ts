import type { DMMF } from "@prisma/generator-helper";
import { GenerationFailure } from "../failure.ts";
import type { ColumnModel, ColumnRules, EnumModel, IndexModel, TableModel, ValueKind, ValueRules } from "../model.ts";
import {
  type FieldRules,
  readFieldDocumentation,
  readModelDocumentation,
  readPlainDocumentation,
} from "./annotations.ts";

export const PRISMA_FILE = "prisma/schema.prisma";

/** The Prisma types that a column may have. SQLite stores each of them without a conversion. */
const KINDS: Readonly<Record<string, ValueKind>> = {
  String: "text",
  Int: "integer",
  Float: "number",
  Boolean: "boolean",
};

export function readEnums(model: DMMF.Datamodel): readonly EnumModel[] {
  return model.enums.map(({ name, documentation, values }) => ({
    name,
    docs: readPlainDocumentation(documentation, `${PRISMA_FILE}: ${name}`),
    values: values.map((value) => ({
      name: value.dbName ?? value.name,
      docs: readPlainDocumentation(documentationOf(value), `${PRISMA_FILE}: ${name}.${value.name}`),
    })),
  }));
}

/** Joins Prisma's reading of the model with the SQL that its schema engine writes for it. */
export function readTables(
  model: DMMF.Datamodel,
  enums: readonly EnumModel[],
  layoutSql: readonly string[],
): readonly TableModel[] {
  return model.models.map((table) => {
    const name = table.dbName ?? table.name;
    const { docs, rules } = readModelDocumentation(table.documentation, `${PRISMA_FILE}: ${table.name}`);
    const columns = table.fields.map((field) =>
      readColumn(field, `${PRISMA_FILE}: ${table.name}.${field.name}`, enums),
    );
    const indexes = layoutSql.map(readIndex).filter((index) => index?.table === name);
    const sql = tableSql(table, layoutSql);
    if (sql === undefined) throw new GenerationFailure(`${PRISMA_FILE}: Prisma wrote no table for ${table.name}.`);
    return { model: table.name, name, docs, rules, columns, sql, indexes: indexes.flatMap((index) => index ?? []) };
  });
}

/** Prisma makes every whole-number key of SQLite count up, also where the model does not ask for it. */
function tableSql(table: DMMF.Model, layoutSql: readonly string[]): string | undefined {
  const sql = layoutSql.find((statement) => statement.startsWith(`CREATE TABLE "${table.dbName ?? table.name}" (`));
  const counts = table.fields.some(({ isId, hasDefaultValue }) => isId && hasDefaultValue);
  return counts ? sql : sql?.replace(" AUTOINCREMENT", "");
}

function readColumn(field: DMMF.Field, place: string, enums: readonly EnumModel[]): ColumnModel {
  const { docs, rules } = readFieldDocumentation(field.documentation, place);
  const enumModel = enums.find(({ name }) => field.kind === "enum" && name === field.type);
  const kind = enumModel === undefined ? KINDS[field.type] : "text";
  if (kind === undefined || field.isList) {
    const known = Object.keys(KINDS).join(", ");
    throw new GenerationFailure(`${place}: no column can have the type ${field.type}; use an enum or one of ${known}.`);
  }
  const { value, column } = separate(rules);
  return {
    field: field.name,
    name: field.dbName ?? field.name,
    docs,
    primaryKey: field.isId,
    value: {
      kind,
      nullable: !field.isRequired,
      ...value,
      ...(value.constant === undefined ? {} : { constant: constantOf(kind, value.constant, place) }),
      ...(enumModel === undefined ? {} : { oneOf: enumModel.values.map((each) => each.name) }),
    },
    rules: { ...column, ...(enumModel === undefined ? {} : { enumName: enumModel.name }) },
  };
}

/** Rules that a contract's field can share, apart from rules that only a column has. */
function separate(rules: FieldRules): { readonly value: Partial<ValueRules>; readonly column: ColumnRules } {
  const { kind, nullable, minLength, maxLength, pattern, minimum, maximum, constant, oneOf, ...column } = rules;
  const value = { kind, nullable, minLength, maxLength, pattern, minimum, maximum, constant, oneOf };
  const stated = Object.entries(value).filter(([, rule]) => rule !== undefined);
  return { value: Object.fromEntries(stated), column };
}

function constantOf(kind: ValueKind, constant: string | number | boolean, place: string): string | number | boolean {
  if (kind === "text") return constant;
  const number = Number(constant);
  if (!Number.isFinite(number)) throw new GenerationFailure(`${place}, @const: "${constant}" is not a number.`);
  return number;
}

function readIndex(sql: string): (IndexModel & { readonly table: string }) | undefined {
  const match = /^CREATE (UNIQUE )?INDEX "([^"]+)" ON "([^"]+)"\(([^)]*)\)(?: WHERE (.*))?$/s.exec(sql);
  if (match === null) return undefined;
  const [, unique, name = "", table = "", columns = "", where] = match;
  return {
    name,
    table,
    unique: unique !== undefined,
    columns: columns.split(",").map((column) => column.trim().replaceAll('"', "")),
    ...(where === undefined ? {} : { where }),
    sql,
  };
}

/** Prisma hands out the documentation of enum values; its type does not say so. */
function documentationOf(value: DMMF.EnumValue & { readonly documentation?: string }): string | undefined {
  return value.documentation;
}
