import { identifier } from "../../../codegen/ddl/sqlText.ts";
import type { ColumnModel, TableModel } from "../../../codegen/model.ts";
import { columnValues } from "./columnValues.ts";
import type { ModelChange } from "./modelChange.ts";
import { inStep, sampleColumnValue, sampleRows, type TableOf } from "./sampleRows.ts";
import { insertSql, type Row, type SqlValue, updateSql } from "./sqlValue.ts";
import type { StoreSide } from "./storeSide.ts";
import type { Trial } from "./trialStore.ts";

/**
 * Statements that may tell what a change to a table does: rows as either side writes them, with the columns that the change
 * is about at and beside their bounds, a second row beside a first, and a row that is changed, replaced or deleted.
 */
export function* trialsOf(change: ModelChange, old: StoreSide, current: StoreSide): Generator<Trial> {
  const sides: TableOf[] = [];
  if (change.old !== undefined) sides.push({ sources: old.sources, table: change.old });
  if (change.new !== undefined) sides.push({ sources: current.sources, table: change.new });
  const columns = columnsOf(change);
  for (const side of sides) {
    for (const row of sampleRows(side)) {
      yield { setup: [], statement: insertSql(change.table, row) };
      yield* besideAnother(change.table, side, row);
      yield* afterwards(change.table, row);
    }
  }
  for (const side of sides) {
    for (const row of sampleRows(side)) {
      for (const column of columns) yield* withColumn({ change, side, row, column });
    }
  }
}

/** Rows that a store may hold: those that either side would write. */
export function plainRows(change: ModelChange, side: StoreSide, table: TableModel | undefined): readonly Trial[] {
  if (table === undefined) return [];
  const rows = sampleRows({ sources: side.sources, table });
  return rows.map((row) => ({ setup: [], statement: insertSql(change.table, row) }));
}

interface Variation {
  readonly change: ModelChange;
  readonly side: TableOf;
  readonly row: Row;
  readonly column: string;
}

function* withColumn({ change, side, row, column }: Variation): Generator<Trial> {
  if (!Object.hasOwn(row, column)) return;
  const { [column]: current = null, ...others } = row;
  yield { setup: [], statement: insertSql(change.table, others) };
  const models = [change.old, change.new].flatMap((table) => columnNamed(table, column));
  for (const value of columnValues(models, current)) {
    const changed = { ...row, [column]: value };
    yield { setup: [], statement: insertSql(change.table, changed) };
    yield { setup: [], statement: insertSql(change.table, inStep(side, changed)) };
    yield { setup: [insertSql(change.table, row)], statement: updateSql(change.table, { [column]: value }) };
  }
}

/** A second row that shares all but its key with the first, and the same row once more. */
function* besideAnother(table: string, { table: model }: TableOf, row: Row): Generator<Trial> {
  const key = model.columns.find(({ primaryKey }) => primaryKey);
  if (key === undefined) return;
  const setup = [insertSql(table, row)];
  const second = { ...row, [key.name]: otherKey(key) };
  yield { setup, statement: insertSql(table, second) };
  yield { setup, statement: insertSql(table, row) };
  yield { setup, statement: insertSql(table, row).replace(/^INSERT/, "INSERT OR REPLACE") };
}

function* afterwards(table: string, row: Row): Generator<Trial> {
  const setup = [insertSql(table, row)];
  yield { setup, statement: `DELETE FROM ${identifier(table)}` };
  for (const [column, value] of Object.entries(row)) {
    yield { setup, statement: updateSql(table, { [column]: typeof value === "number" ? value + 1 : `${column}2` }) };
  }
}

/** Another key than the one of a sample row. */
function otherKey(column: ColumnModel): SqlValue {
  const first = sampleColumnValue(column);
  return (
    columnValues([column], first).find((value) => value !== first && typeof value === typeof first && value !== "") ?? 2
  );
}

/** The columns that a change is about. */
function columnsOf({ difference, old, new: current }: ModelChange): readonly string[] {
  const all = (table: TableModel | undefined): readonly string[] => table?.columns.map(({ name }) => name) ?? [];
  switch (difference.kind) {
    case "words":
    case "table":
      return [];
    case "column":
      return [difference.column.name];
    case "columnRule":
    case "enumMember":
      return [difference.after.name];
    case "index":
      return [...(difference.before?.columns ?? []), ...(difference.after?.columns ?? [])];
    case "tableRule":
      return [...new Set([...all(old), ...all(current)])];
  }
}

function columnNamed(table: TableModel | undefined, name: string): readonly ColumnModel[] {
  return table?.columns.filter((column) => column.name === name) ?? [];
}
