import { type ColumnModel, contractOf, type Sources, type TableModel } from "../../../codegen/model.ts";
import { isObject, type Json, type JsonObject } from "../json.ts";
import { regexSamples } from "../schema/regexSamples.ts";
import { sampleDocument } from "../schema/sampleValue.ts";
import type { Row, SqlValue } from "./sqlValue.ts";

/** A table and the sources that it comes from. */
export interface TableOf {
  readonly sources: Sources;
  readonly table: TableModel;
}

const TIMESTAMP = "2026-08-21T08:17:31.000Z";

/**
 * Rows that probably keep every rule: one with nothing that may be null, one for each nullable column or group of columns,
 * and one with as much as fits together.
 */
export function sampleRows(of: TableOf): readonly Row[] {
  const { table } = of;
  const optional = table.columns.filter(({ value }) => value.nullable).map(({ field }) => field);
  const { allOrNone, neverBoth } = table.rules;
  const single = optional.filter((field) => !allOrNone.some((group) => group.includes(field)));
  const groups = [...allOrNone, ...single.map((field) => [field])];
  const excluded = (field: string): boolean => neverBoth.some(([, second]) => second === field);
  const together = groups.filter((group) => !group.some(excluded)).flat();
  return [[], ...groups, together].map((filled) => rowWith(of, filled));
}

/** The barest row whose column holds a document, with the columns that the document repeats. */
export function rowHolding(of: TableOf, column: ColumnModel, document: JsonObject): Row {
  const mirrored = of.table.columns.filter(({ field }) => column.rules.mirrors?.includes(field));
  const repeated = mirrored.map(({ field, name }) => [name, columnValueOf(document[field])] as const);
  return { ...rowWith(of, []), ...Object.fromEntries(repeated), [column.name]: JSON.stringify(document) };
}

/** A row again, with the JSON text of its contracts in step with the columns that they repeat. */
export function inStep({ sources, table }: TableOf, row: Row): Row {
  const entries = Object.entries(row).map(([name, value]) => {
    const column = table.columns.find((each) => each.name === name);
    const holds = column?.rules.holds;
    if (column === undefined || holds === undefined || value === null) return [name, value] as const;
    return [name, heldText({ sources, table }, column, row)] as const;
  });
  return Object.fromEntries(entries);
}

/** A value that a column probably takes. */
export function sampleColumnValue({ value, rules }: ColumnModel): SqlValue {
  if (value.constant !== undefined) return scalar(value.constant);
  const [first] = value.oneOf ?? [];
  if (first !== undefined) return scalar(first);
  if (rules.timestamp === true) return TIMESTAMP;
  if (value.kind === "boolean") return 0;
  if (value.kind !== "text") return value.minimum ?? Math.min(1, value.maximum ?? 1);
  const samples = value.pattern === undefined ? ["a"] : regexSamples(value.pattern);
  const padded = samples.map((each) => each.padEnd(value.minLength ?? 0, "a"));
  return padded.find(({ length }) => length <= (value.maxLength ?? length)) ?? "a";
}

function rowWith(of: TableOf, filled: readonly string[]): Row {
  const entries = of.table.columns.map((column) => {
    const isNull = column.value.nullable && !filled.includes(column.field);
    return [column.name, isNull ? null : sampleColumnValue(column)] as const;
  });
  return inStep(of, Object.fromEntries(entries));
}

function heldText({ sources, table }: TableOf, column: ColumnModel, row: Row): string {
  const contract = contractOf(sources, column.rules.holds ?? "");
  const document = contract && sampleDocument(contract.schema as unknown as JsonObject, [], "new");
  const mirrored = table.columns.filter(({ field }) => column.rules.mirrors?.includes(field));
  const repeated = mirrored.map(({ field, name }) => [field, row[name] as Json] as const);
  return JSON.stringify({ ...(isObject(document) ? document : {}), ...Object.fromEntries(repeated) });
}

function columnValueOf(value: Json | undefined): SqlValue {
  return typeof value === "string" || typeof value === "number" ? value : null;
}

function scalar(value: string | number | boolean): SqlValue {
  return typeof value === "boolean" ? Number(value) : value;
}
