import { GenerationFailure } from "../failure.ts";
import { type ColumnModel, contractOf, type IndexModel, type Sources, type TableModel } from "../model.ts";
import { PRISMA_FILE } from "../prisma/storeModel.ts";
import { listing } from "../wording.ts";
import { changed, columnGuard, groupGuards, newValue, oldValue } from "./columnGuards.ts";
import { contractGuards } from "./contractGuards.ts";
import { anyOf, type Guard, identifier, type TriggerModel, trigger } from "./sqlText.ts";

/** The guards of every guarded table, in the order of creation. */
export function readTriggers(sources: Sources): readonly TriggerModel[] {
  return sources.tables.filter((table) => table.rules.guarded).flatMap((table) => tableTriggers(sources, table));
}

function tableTriggers(sources: Sources, table: TableModel): readonly TriggerModel[] {
  const held = table.columns.filter((column) => column.rules.holds !== undefined);
  const triggers = [
    ...insertTriggers(table),
    ...held.map((column) => contractTrigger(sources, table, column, "insert")),
    ...updateTriggers(table),
    ...held.map((column) => contractTrigger(sources, table, column, "update")),
    deleteTrigger(table),
  ];
  return triggers.filter(({ guards }) => guards.length > 0);
}

const nameOf = (table: TableModel, rest: string): string => `${table.name}_guard_${rest}`;

function insertTriggers(table: TableModel): readonly TriggerModel[] {
  const columns = table.columns.filter((column) => column.rules.holds === undefined);
  return [
    trigger({
      name: nameOf(table, "insert_identity"),
      table: table.name,
      event: "BEFORE INSERT",
      guards: [
        primaryKeyGuard(table),
        rowidGuard(table),
        ...table.indexes.filter(isUnique).map((each) => uniqueGuard(table, each)),
      ],
    }),
    trigger({
      name: nameOf(table, "insert_rowid"),
      table: table.name,
      // Before an insert, a rowid that the statement leaves open reads as -1.
      event: "AFTER INSERT",
      guards: [{ sentence: `${table.name}: a rowid must be positive.`, refusedWhen: "NEW.rowid < 1" }],
    }),
    trigger({
      name: nameOf(table, "insert_columns"),
      table: table.name,
      event: "BEFORE INSERT",
      guards: [...columns.map((column) => columnGuard(table, column)), ...groupGuards(table)],
    }),
  ];
}

function updateTriggers(table: TableModel): readonly TriggerModel[] {
  const immutable = table.columns.filter(isImmutable);
  const mutable = table.columns.filter((column) => !isImmutable(column));
  const judged = mutable.filter((column) => column.rules.holds === undefined);
  return [
    trigger({
      name: nameOf(table, "update_identity"),
      table: table.name,
      event: "BEFORE UPDATE",
      guards: [...immutable.map((column) => immutableGuard(table, column)), movedRowGuard(table)],
    }),
    trigger({
      name: nameOf(table, "update_lifecycle"),
      table: table.name,
      event: "BEFORE UPDATE",
      guards: [
        ...frozenGuards(table, mutable),
        ...mutable.filter(isSetOnce).map((column) => setOnceGuard(table, column)),
      ],
    }),
    trigger({
      name: nameOf(table, "update_columns"),
      table: table.name,
      event: "BEFORE UPDATE",
      guards: [
        ...judged.map((column) => onlyIfChanged(columnGuard(table, column), [column.name])),
        ...groupGuards(table).map((guard) => onlyIfChanged(guard, guard.columns)),
      ],
    }),
  ];
}

function contractTrigger(
  sources: Sources,
  table: TableModel,
  column: ColumnModel,
  event: "insert" | "update",
): TriggerModel {
  const contract = contractOf(sources, column.rules.holds ?? "");
  const mirrored = table.columns.filter((each) => column.rules.mirrors?.includes(each.field) && !isImmutable(each));
  const watched = [column, ...mirrored].map((each) => changed(each.name));
  return trigger({
    name: nameOf(table, `${event}_${column.name}`),
    table: table.name,
    event: event === "insert" ? "BEFORE INSERT" : "BEFORE UPDATE",
    ...(event === "insert" ? {} : { when: anyOf(watched) }),
    guards: contract === undefined ? [] : contractGuards(table, column, contract),
  });
}

/** Neither a plain delete nor a REPLACE with recursive triggers takes a row away. */
function deleteTrigger(table: TableModel): TriggerModel {
  return trigger({
    name: nameOf(table, "delete"),
    table: table.name,
    event: "BEFORE DELETE",
    guards: [
      {
        sentence: `${table.name}: a row is not deleted; to prune, drop this trigger and create it again in one transaction.`,
        refusedWhen: "true",
      },
    ],
  });
}

/** A REPLACE deletes the row in its way without firing a delete trigger, so the way is closed before. */
function primaryKeyGuard(table: TableModel): Guard {
  const [key, ...more] = table.columns.filter((column) => column.primaryKey);
  if (key === undefined || more.length > 0 || key.value.kind !== "text") {
    throw new GenerationFailure(`${PRISMA_FILE}: ${table.model}: a guarded model needs one text field with @id.`);
  }
  return {
    sentence: `${table.name}.${key.name}: there is a row with this value; it can be updated, not inserted again or replaced.`,
    refusedWhen: exists(table, `${identifier(key.name)} = ${newValue(key.name)}`),
  };
}

function rowidGuard(table: TableModel): Guard {
  return {
    sentence: `${table.name}: there is a row with this rowid; it can be updated, not replaced.`,
    refusedWhen: `NEW.rowid > 0 AND ${exists(table, "rowid = NEW.rowid")}`,
  };
}

function uniqueGuard(table: TableModel, { columns, where }: IndexModel): Guard {
  const same = columns.map((column) => `${identifier(column)} = ${newValue(column)}`);
  const there = exists(table, [...same, ...(where === undefined ? [] : [where])].join(" AND "));
  const condition = where === undefined ? "" : ` where ${where.replaceAll('"', "")}`;
  return {
    sentence: `${table.name}: there is a row with the same ${listing(columns)}${condition}; only one can be.`,
    refusedWhen: where === undefined ? there : `${where.replaceAll(/"(\w+)"/g, 'NEW."$1"')} AND ${there}`,
  };
}

function exists(table: TableModel, condition: string): string {
  return `EXISTS (SELECT 1 FROM ${identifier(table.name)} WHERE ${condition})`;
}

function immutableGuard(table: TableModel, column: ColumnModel): Guard {
  return {
    sentence: `${table.name}.${column.name} cannot change after the row was created.`,
    refusedWhen: changed(column.name),
  };
}

/** `UPDATE OR REPLACE … SET rowid` would delete the row that has the other rowid. */
function movedRowGuard(table: TableModel): Guard {
  return {
    sentence: `${table.name}: the rowid cannot change after the row was created.`,
    refusedWhen: "NEW.rowid <> OLD.rowid",
  };
}

function setOnceGuard(table: TableModel, column: ColumnModel): Guard {
  return {
    sentence: `${table.name}.${column.name} is set once and cannot change or become null after that.`,
    refusedWhen: `${oldValue(column.name)} IS NOT NULL AND ${changed(column.name)}`,
  };
}

function frozenGuards(table: TableModel, mutable: readonly ColumnModel[]): readonly Guard[] {
  const mark = table.columns.find((column) => column.field === table.rules.frozenBy);
  if (mark === undefined) return [];
  return [
    {
      sentence: `${table.name}: nothing changes in a row after ${mark.name} is set.`,
      refusedWhen: `${oldValue(mark.name)} IS NOT NULL AND (${anyOf(mutable.map((column) => changed(column.name)))})`,
    },
  ];
}

/** Rows of an older program may break a rule; that must not keep them from being claimed and resolved. */
function onlyIfChanged({ sentence, refusedWhen }: Guard, columns: readonly string[]): Guard {
  const touched = anyOf(columns.map(changed));
  return { sentence, refusedWhen: `(${touched}) AND (${refusedWhen})` };
}

const isUnique = ({ unique }: IndexModel): boolean => unique;
const isImmutable = ({ rules }: ColumnModel): boolean => rules.immutable === true;
const isSetOnce = ({ rules }: ColumnModel): boolean => rules.setOnce === true;
