import type { ColumnModel, TableModel } from "../model.ts";
import { changed, oldValue } from "./columnGuards.ts";
import type { Guard } from "./sqlText.ts";

export function setOnceGuard(table: TableModel, column: ColumnModel): Guard {
  return {
    sentence: `${table.name}.${column.name} is set once and cannot change or become null after that.`,
    all: [`${oldValue(column.name)} IS NOT NULL`, changed(column.name)],
  };
}

export function frozenGuards(table: TableModel, mutable: readonly ColumnModel[]): readonly Guard[] {
  const mark = table.columns.find((column) => column.field === table.rules.frozenBy);
  if (mark === undefined) return [];
  return [
    {
      sentence: `${table.name}: nothing changes in a row after ${mark.name} is set.`,
      all: [`${oldValue(mark.name)} IS NOT NULL`],
      any: mutable.map((column) => changed(column.name)),
    },
  ];
}

/** Neither a plain delete nor a REPLACE with recursive triggers takes a row away. */
export function deleteGuard(table: TableModel): Guard {
  return {
    sentence: `${table.name}: a row is not deleted; to prune, drop this trigger and create it again in one transaction.`,
    all: ["true"],
  };
}
