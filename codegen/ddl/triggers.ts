import { type ColumnModel, contractOf, type IndexModel, type Sources, type TableModel } from "../model.ts";
import { changed, columnGuard, groupGuards } from "./columnGuards.ts";
import { contractGuards } from "./contractGuards.ts";
import { immutableGuard, movedRowGuard, primaryKeyGuard, rowidGuard, uniqueGuard } from "./identityGuards.ts";
import { deleteGuard, frozenGuards, setOnceGuard } from "./lifecycleGuards.ts";
import { type Guard, type TriggerModel, trigger } from "./sqlText.ts";

/**
 * The guards of every guarded table, in the order of creation. SQLite runs the trigger first that was created last, so
 * they stand from the finest rule to the coarsest: where a row breaks several, the sentence tells of the coarsest.
 */
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
    trigger({
      name: nameOf(table, "delete"),
      table: table.name,
      event: "BEFORE DELETE",
      guards: [deleteGuard(table)],
    }),
  ];
  return triggers.filter(({ guards }) => guards.length > 0).reverse();
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
      guards: [{ sentence: `${table.name}: a rowid must be positive.`, all: ["NEW.rowid < 1"] }],
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
    ...(event === "insert" ? {} : { when: watched.join(" OR ") }),
    guards: contract === undefined ? [] : contractGuards(table, column, contract),
  });
}

/** Rows of an older program may break a rule; that must not keep them from being claimed and resolved. */
function onlyIfChanged({ sentence, all = [], any = [] }: Guard, columns: readonly string[]): Guard {
  const touched = columns.map(changed).join(" OR ");
  return { sentence, all: [columns.length === 1 ? touched : `(${touched})`, ...all], any };
}

const isUnique = ({ unique }: IndexModel): boolean => unique;
const isImmutable = ({ rules }: ColumnModel): boolean => rules.immutable === true;
const isSetOnce = ({ rules }: ColumnModel): boolean => rules.setOnce === true;
