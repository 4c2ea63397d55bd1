import { GenerationFailure } from "../failure.ts";
import type { ColumnModel, IndexModel, TableModel } from "../model.ts";
import { PRISMA_FILE } from "../prisma/storeModel.ts";
import { listing } from "../wording.ts";
import { changed, newValue } from "./columnGuards.ts";
import { type Guard, identifier } from "./sqlText.ts";

/** A REPLACE deletes the row in its way without firing a delete trigger, so the way is closed before. */
export function primaryKeyGuard(table: TableModel): Guard {
  const [key, ...more] = table.columns.filter((column) => column.primaryKey);
  if (key === undefined || more.length > 0 || key.value.kind !== "text") {
    throw new GenerationFailure(`${PRISMA_FILE}: ${table.model}: a guarded model needs one text field with @id.`);
  }
  return {
    sentence: `${table.name}.${key.name}: there is a row with this value; it can be updated, not inserted again or replaced.`,
    all: [exists(table, `${identifier(key.name)} = ${newValue(key.name)}`)],
  };
}

/** The same by the rowid, which a statement can name beside the columns. */
export function rowidGuard(table: TableModel): Guard {
  return {
    sentence: `${table.name}: there is a row with this rowid; it can be updated, not replaced.`,
    all: ["NEW.rowid > 0", exists(table, "rowid = NEW.rowid")],
  };
}

/** The same by a unique index; where an old table could not be given the index, this takes its place. */
export function uniqueGuard(table: TableModel, { columns, where }: IndexModel): Guard {
  const same = columns.map((column) => `${identifier(column)} = ${newValue(column)}`);
  const there = exists(table, [...same, ...(where === undefined ? [] : [where])].join(" AND "));
  const condition = where === undefined ? "" : ` where ${where.replaceAll('"', "")}`;
  return {
    sentence: `${table.name}: there is a row with the same ${listing(columns)}${condition}; only one can be.`,
    all: where === undefined ? [there] : [where.replaceAll(/"(\w+)"/g, 'NEW."$1"'), there],
  };
}

function exists(table: TableModel, condition: string): string {
  return `EXISTS (SELECT 1 FROM ${identifier(table.name)} WHERE ${condition})`;
}

export function immutableGuard(table: TableModel, column: ColumnModel): Guard {
  return {
    sentence: `${table.name}.${column.name} cannot change after the row was created.`,
    all: [changed(column.name)],
  };
}

/** `UPDATE OR REPLACE … SET rowid` would delete the row that has the other rowid. */
export function movedRowGuard(table: TableModel): Guard {
  return {
    sentence: `${table.name}: the rowid cannot change after the row was created.`,
    all: ["NEW.rowid <> OLD.rowid"],
  };
}
