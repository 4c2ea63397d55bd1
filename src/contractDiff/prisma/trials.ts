import { identifier } from "../../../codegen/ddl/sqlText.ts";
import type { ColumnModel, IndexModel, TableModel } from "../../../codegen/model.ts";
import { regexSamples } from "../schema/regexSamples.ts";
import { columnValues } from "./columnValues.ts";
import type { ModelChange } from "./modelChange.ts";
import { inStep, sampleColumnValue, sampleRows, type TableOf } from "./sampleRows.ts";
import type { Row, SqlValue, Statement } from "./sqlValue.ts";
import type { StoreSide } from "./storeSide.ts";

/** Statements to try on a table. */
export interface Trial {
  /** What must be there first. */
  readonly setup: readonly Statement[];
  readonly statement: Statement;
}

/**
 * Statements that may tell what a change to a table does: rows as either side writes them, with the columns that the change
 * is about at and beside their bounds, a second row beside a first, and a row that is changed, replaced or deleted.
 */
export function* trialsOf(change: ModelChange, old: StoreSide, current: StoreSide): Generator<Trial> {
  const { table, difference } = change;
  const rows = distinct([...rowsOf(old, change.old), ...rowsOf(current, change.new)]);
  const isOfKey = difference.kind === "columnRule" && difference.rule === "primaryKey";
  for (const { of, row } of rows) {
    yield inserted(table, row);
    if (difference.kind === "index" || difference.kind === "tableRule" || isOfKey) yield* besideAnother(of, row);
    if (difference.kind === "index") yield* underIndex(difference, of, row);
    if (difference.kind === "tableRule") {
      yield* afterwards(table, row);
      yield* toggled(of, row);
    }
  }
  for (const column of columnsOf(change)) {
    for (const { of, row } of rowsFor(column, rows)) yield* withColumn({ change, of, row, column });
  }
}

/** Rows that a store of a side may hold. */
export function plainRows({ table }: ModelChange, side: StoreSide, model: TableModel | undefined): readonly Trial[] {
  return rowsOf(side, model).map(({ row }) => inserted(table, row));
}

interface RowOf {
  readonly of: TableOf;
  readonly row: Row;
}

function rowsOf({ sources }: StoreSide, table: TableModel | undefined): readonly RowOf[] {
  if (table === undefined) return [];
  const of = { sources, table };
  return sampleRows(of).map((row) => ({ of, row }));
}

function distinct(rows: readonly RowOf[]): readonly RowOf[] {
  return [...new Map(rows.map((each) => [JSON.stringify(each.row), each])).values()];
}

/** Rows to vary a column in: the barest, and some in which it has a value. */
function rowsFor(column: string, rows: readonly RowOf[]): readonly RowOf[] {
  const filled = rows.filter(({ row }) => row[column] !== null && row[column] !== undefined);
  return [...new Set([...rows.slice(0, 1), ...filled.slice(0, 1), ...filled.slice(-1)])];
}

interface Variation extends RowOf {
  readonly change: ModelChange;
  readonly column: string;
}

function* withColumn({ change, of, row, column }: Variation): Generator<Trial> {
  if (!Object.hasOwn(row, column)) return;
  const { table } = change;
  const { [column]: current = null, ...others } = row;
  yield inserted(table, others);
  const models = [change.old, change.new].flatMap((model) => columnNamed(model, column));
  for (const value of columnValues(models, current)) {
    const changed = { ...row, [column]: value };
    yield inserted(table, changed);
    yield inserted(table, inStep(of, changed));
    yield updated(table, row, { [column]: value });
    yield updated(table, row, { [column]: value, ...changedBeside(row, inStep(of, changed), column) });
  }
}

/** The columns that must change with another, as the text that repeats it. */
function changedBeside(row: Row, changed: Row, column: string): Row {
  return Object.fromEntries(Object.entries(changed).filter(([name, value]) => name !== column && value !== row[name]));
}

/** A second row that shares all but its key with the first, and the same row once more. */
function* besideAnother({ table }: TableOf, row: Row): Generator<Trial> {
  const key = table.columns.find(({ primaryKey }) => primaryKey);
  if (key === undefined) return;
  const { name } = table;
  const setup = [{ kind: "insert" as const, table: name, values: row }];
  yield { setup, statement: { kind: "insert", table: name, values: { ...row, [key.name]: otherKey(key) } } };
  yield { setup, statement: { kind: "insert", table: name, values: row } };
  yield { setup, statement: { kind: "replace", table: name, values: row } };
}

type IndexDifference = Extract<ModelChange["difference"], { readonly kind: "index" }>;

/**
 * Pairs of rows that a unique index of either side may refuse: equal in its columns and different in all others that must
 * be unique, with each value in the columns of the conditions.
 */
function* underIndex({ before, after }: IndexDifference, of: TableOf, row: Row): Generator<Trial> {
  const { table } = of;
  const indexes = [before, after].flatMap((index) => index ?? []);
  if (!indexes.some(({ unique }) => unique)) return;
  const conditional = table.columns.filter(({ name }) =>
    indexes.some(({ where }) => where?.includes(identifier(name)) === true),
  );
  const states = conditional.flatMap((column) => columnStates(column).map((value) => ({ [column.name]: value })));
  for (const state of [{}, ...states]) {
    const first = inStep(of, { ...row, ...state });
    for (const { columns } of indexes) {
      const values = inStep(of, {
        ...first,
        ...otherwiseUnique([...table.indexes, ...indexes], { of, row: first }, columns),
      });
      const setup = [{ kind: "insert" as const, table: table.name, values: first }];
      yield { setup, statement: { kind: "insert", table: table.name, values } };
    }
  }
}

/** Values that a condition may tell apart. */
function columnStates({ value, ...column }: ColumnModel): readonly SqlValue[] {
  const members = (value.oneOf ?? []).map((member) => (typeof member === "boolean" ? Number(member) : member));
  return [...(value.nullable ? [null] : []), sampleColumnValue({ value, ...column }), ...members];
}

/** Other values for the columns that must be unique, but for some that are kept. */
function otherwiseUnique(indexes: readonly IndexModel[], { of, row }: RowOf, kept: readonly string[]): Row {
  const unique = indexes.filter((index) => index.unique).flatMap(({ columns }) => columns);
  const changed = of.table.columns.filter(
    ({ name, primaryKey }) => (primaryKey || unique.includes(name)) && !kept.includes(name),
  );
  return Object.fromEntries(
    changed.map((column) => [column.name, row[column.name] === null ? null : otherKey(column)] as const),
  );
}

function* afterwards(table: string, row: Row): Generator<Trial> {
  yield { setup: [{ kind: "insert", table, values: row }], statement: { kind: "delete", table } };
  for (const [column, value] of Object.entries(row)) {
    for (const other of others(value)) yield updated(table, row, { [column]: other });
  }
}

/** Rows in which one column lacks its value, or has one that it should not have. */
function* toggled({ table }: TableOf, row: Row): Generator<Trial> {
  for (const column of table.columns) {
    const value = row[column.name] === null ? sampleColumnValue(column) : null;
    yield inserted(table.name, { ...row, [column.name]: value });
    yield updated(table.name, row, { [column.name]: value });
  }
}

/** What a value may be changed to: another of its kind, and null or a time in its place. */
function others(value: SqlValue): readonly SqlValue[] {
  if (value === null) return ["2026-08-21T08:17:32.000Z", "b", 2];
  if (typeof value === "number") return [value + 1, null];
  return [typeof value === "string" && value.endsWith("Z") ? "2026-08-21T08:17:32.000Z" : "b", null];
}

/** Another key than the one of a sample row. */
function otherKey({ value }: ColumnModel): SqlValue {
  if (value.kind !== "text") return 2;
  const sample = value.pattern === undefined ? undefined : regexSamples(value.pattern).at(-1);
  return sample ?? "b".repeat(value.minLength ?? 1);
}

/** The columns whose values a change is about. */
function columnsOf({ difference }: ModelChange): readonly string[] {
  switch (difference.kind) {
    case "words":
    case "table":
    case "tableRule":
    case "index":
      return [];
    case "column":
      return [difference.column.name];
    case "columnRule":
    case "enumMember":
      return [difference.after.name];
  }
}

function columnNamed(table: TableModel | undefined, name: string): readonly ColumnModel[] {
  return table?.columns.filter((column) => column.name === name) ?? [];
}

function inserted(table: string, values: Row): Trial {
  return { setup: [], statement: { kind: "insert", table, values } };
}

function updated(table: string, row: Row, values: Row): Trial {
  return { setup: [{ kind: "insert", table, values: row }], statement: { kind: "update", table, values } };
}
