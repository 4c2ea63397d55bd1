import Database from "better-sqlite3";
import { INDEXES, type StorePart, TABLES, TRIGGERS, VIEWS } from "../../../generated/ddl.ts";

/** The table whose indexes and guard triggers are ours; the others are shared with older programs. */
export const INTENTS_TABLE = "workflow_turn_intents";

/** How our guard triggers are named, in all versions. */
export const GUARD_PREFIX = `${INTENTS_TABLE}_guard_`;

/** What SQLite makes of a column's declared type. */
export type Affinity = "TEXT" | "INTEGER" | "REAL" | "NUMERIC" | "NONE";

/** A column as it was declared. */
export interface ColumnDesign {
  readonly name: string;
  readonly affinity: Affinity;
  readonly notNull: boolean;
  readonly hasDefault: boolean;
  /** Place in the primary key, from 1; 0 outside it. */
  readonly keyPlace: number;
}

/** A table, index, trigger or view: how to create it, and the text that SQLite keeps of it. */
export interface PartDesign {
  readonly name: string;
  readonly table: string;
  readonly createSql: string;
  readonly storedSql: string;
}

/** A table: how to create it, the text that SQLite keeps of it, and its columns. */
export interface TableDesign extends PartDesign {
  readonly columns: readonly ColumnDesign[];
}

/** The layout that this version creates, as SQLite describes it. */
export interface StoreDesign {
  readonly tables: readonly TableDesign[];
  readonly indexes: readonly PartDesign[];
  readonly triggers: readonly PartDesign[];
  readonly views: readonly PartDesign[];
}

let design: StoreDesign | undefined;

/** The design of this version's store, made once. */
export function storeDesign(): StoreDesign {
  design ??= designOf({ tables: TABLES, indexes: INDEXES, triggers: TRIGGERS, views: VIEWS });
  return design;
}

/** What a layout is created from, in the order of creation. */
export interface LayoutParts {
  readonly tables: readonly StorePart[];
  readonly indexes: readonly StorePart[];
  readonly triggers: readonly StorePart[];
  readonly views: readonly StorePart[];
}

/** The design of a layout. What its tables' columns are is looked up when somebody asks: few openings need to. */
export function designOf({ tables, indexes, triggers, views }: LayoutParts): StoreDesign {
  let columns: ReadonlyMap<string, readonly ColumnDesign[]> | undefined;
  const columnsIn = (table: string): readonly ColumnDesign[] => {
    columns ??= createdColumns(tables);
    return columns.get(table) ?? [];
  };
  return {
    tables: tables.map((table) => ({
      ...partDesign(table),
      get columns() {
        return columnsIn(table.name);
      },
    })),
    indexes: indexes.map(partDesign),
    triggers: triggers.map(partDesign),
    views: views.map(partDesign),
  };
}

/** The columns of tables, as SQLite describes them once it has created them in memory. */
function createdColumns(tables: readonly StorePart[]): ReadonlyMap<string, readonly ColumnDesign[]> {
  const database = new Database(":memory:");
  try {
    for (const { sql } of tables) database.exec(sql);
    return new Map(tables.map(({ name }) => [name, columnsOf(database, name)]));
  } finally {
    database.close();
  }
}

/**
 * Whether a database holds every part of a design word for word, and no other guard: so does every store that this version
 * created, and there is nothing to compare in it and nothing to add.
 */
export function isExactly(database: Database.Database, design: StoreDesign): boolean {
  const stored = new Map(database.prepare<[], [string, string]>("SELECT name, sql FROM sqlite_schema").raw().all());
  const parts = [...design.tables, ...design.indexes, ...design.triggers, ...design.views];
  const names = new Set(parts.map(({ name }) => name));
  // A name that somebody wrote into the schema by hand can be a blob.
  const isForeignGuard = (name: unknown): boolean =>
    typeof name === "string" && name.startsWith(GUARD_PREFIX) && !names.has(name);
  return (
    parts.every(({ name, storedSql }) => stored.get(name) === storedSql) && ![...stored.keys()].some(isForeignGuard)
  );
}

/** SQLite keeps the text of a part as it was given, but for the words that let it be there already. */
function partDesign({ name, table, sql }: StorePart): PartDesign {
  return { name, table, createSql: sql, storedSql: sql.replace(" IF NOT EXISTS", "") };
}

/** The columns of an existing table. */
export function columnsOf(database: Database.Database, table: string): readonly ColumnDesign[] {
  const rows = database
    .prepare<[string], ColumnRow>('SELECT name, type, "notnull", dflt_value, pk FROM pragma_table_info(?)')
    .all(table);
  return rows.map(({ name, type, notnull, dflt_value, pk }) => ({
    name,
    affinity: affinityOf(type),
    notNull: notnull === 1,
    hasDefault: dflt_value !== null,
    keyPlace: pk,
  }));
}

/** The text that SQLite keeps of an index, trigger or view, or undefined when there is none of this name. */
export function storedSqlOf(database: Database.Database, name: string): string | undefined {
  const lookUp = lookUps.get(database) ?? database.prepare<[string], string>(STORED_SQL).pluck();
  lookUps.set(database, lookUp);
  return lookUp.get(name);
}

const STORED_SQL = "SELECT sql FROM sqlite_schema WHERE name = ?";

/** An opening asks for each part of the layout. */
const lookUps = new WeakMap<Database.Database, Database.Statement<[string], string>>();

interface ColumnRow {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  readonly dflt_value: string | null;
  readonly pk: number;
}

/** The rules of SQLite's manual, section "Determination of column affinity". */
function affinityOf(declaredType: string): Affinity {
  const type = declaredType.toUpperCase();
  if (type.includes("INT")) return "INTEGER";
  if (/CHAR|CLOB|TEXT/.test(type)) return "TEXT";
  if (type === "" || type.includes("BLOB")) return "NONE";
  if (/REAL|FLOA|DOUB/.test(type)) return "REAL";
  return "NUMERIC";
}
