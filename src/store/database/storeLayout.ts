import type { Database } from "better-sqlite3";
import { CONTROLLER_STORE_SCHEMA_ID } from "../../../generated/ddl.ts";
import { DeferredTurnsError } from "../../contracts/errors.ts";
import {
  type ColumnDesign,
  columnsOf,
  INTENTS_TABLE,
  isExactly,
  type StoreDesign,
  storeDesign,
} from "./storeDesign.ts";
import { resetInstruction } from "./storeErrors.ts";

/** How many columns the specification gives `workflow_turn_intents`; a table with fewer was never one. */
const SPECIFIED_COLUMNS = 16;

/** The tables whose rows our statements order or find by rowid. */
const USED_BY_ROWID: ReadonlySet<string> = new Set([INTENTS_TABLE, "workflow_run_queue", "run_events"]);

/**
 * Refuses a database that this version must not touch. Only reads, so that a refused file stays byte for byte as it is.
 *
 * An empty database passes: a store can be created in it.
 *
 * @throws DeferredTurnsError `INCOMPATIBLE_STORE` for a foreign database, a foreign schema id or a layout that our
 * statements do not fit; `LEGACY_LAUNCH_FAILURES` for undelivered `launch_failure` rows (the specification, section
 * Launch notifications)
 */
export function checkLayout(database: Database, path: string, design = storeDesign()): void {
  const tables = tablesOf(database);
  if (tables.size === 0) return;
  const existing: Existing = { database, path, tables, design };
  if (!isExactly(database, design)) checkColumns(existing);
  checkSchemaId(existing);
  checkLegacyLaunchFailures(existing);
}

/**
 * Refuses a store in which a table or a column is still missing: nothing is added to a store that is opened to be read.
 * Indexes and guards may be missing; only opening it to write adds them.
 *
 * @throws DeferredTurnsError `INCOMPATIBLE_STORE`
 */
export function checkComplete(database: Database, path: string, design = storeDesign()): void {
  if (isExactly(database, design)) return;
  const tables = tablesOf(database);
  const missing = design.tables
    .map((table) => missingPart(table, tables.has(table.name) ? columnsOf(database, table.name) : undefined))
    .find((part) => part !== undefined);
  if (missing === undefined) return;
  const message = `The controller store ${path} has no ${missing} yet; opening it once to write, as a Pi session does, adds what is missing.`;
  throw new DeferredTurnsError({ code: "INCOMPATIBLE_STORE", message });
}

function missingPart(
  { name, columns }: StoreDesign["tables"][number],
  found: readonly ColumnDesign[] | undefined,
): string | undefined {
  if (found === undefined) return `table ${name}`;
  const [column] = addableColumns(name, columns, found);
  return column && `column ${column.name} in its table ${name}`;
}

interface Existing {
  readonly database: Database;
  readonly path: string;
  /** The tables and views that there are. */
  readonly tables: ReadonlyMap<string, TableKind>;
  /** The layout that the database must fit. */
  readonly design: StoreDesign;
}

type TableKind = "table" | "view" | "withoutRowid";

function tablesOf(database: Database): ReadonlyMap<string, TableKind> {
  const rows = database
    .prepare<[], { readonly name: string; readonly type: string; readonly wr: number }>(
      "SELECT name, type, wr FROM pragma_table_list WHERE schema = 'main' AND name NOT GLOB 'sqlite_*'",
    )
    .all();
  return new Map(
    rows.map(({ name, type, wr }) => [name, type === "view" ? "view" : wr === 1 ? "withoutRowid" : "table"]),
  );
}

function checkSchemaId({ database, path, tables, design }: Existing): void {
  if (!tables.has("schema_info")) {
    const ours = new Set([...design.tables, ...design.views].map(({ name }) => name));
    const foreign = [...tables.keys()].find((name) => !ours.has(name));
    if (foreign === undefined) return;
    throw incompatible(path, `it has a table ${foreign} but none named schema_info, so it belongs to another program`);
  }
  const ids = database.prepare<[], unknown>("SELECT schema_id FROM schema_info LIMIT 2").pluck().all();
  if (ids.length === 1 && ids[0] === CONTROLLER_STORE_SCHEMA_ID) return;
  const found =
    ids.length === 0
      ? "it names no schema id"
      : `its schema id is ${ids.map((id) => JSON.stringify(id)).join(" and ")}`;
  throw incompatible(path, `${found} where this version needs "${CONTROLLER_STORE_SCHEMA_ID}"`);
}

function checkColumns({ database, path, tables, design }: Existing): void {
  for (const { name, columns } of design.tables) {
    const kind = tables.get(name);
    if (kind === undefined) continue;
    const found = columnsOf(database, name);
    const addable = addableColumns(name, columns, found);
    const needed = columns.filter((column) => !addable.includes(column));
    const flaw = kind === "view" ? "is a view" : layoutFlaw(needed, found);
    if (flaw !== undefined) throw incompatible(path, `its table ${name} ${flaw}`);
    if (kind === "withoutRowid" && USED_BY_ROWID.has(name)) throw incompatible(path, `its table ${name} has no rowid`);
  }
}

/**
 * The columns that `workflow_turn_intents` lacks because a version made it that did not know them, and that joining adds:
 * those that may be null. The other tables are older programs' too, and get no columns from here.
 */
export function addableColumns(
  table: string,
  needed: readonly ColumnDesign[],
  found: readonly ColumnDesign[],
): readonly ColumnDesign[] {
  if (table !== INTENTS_TABLE || found.length < SPECIFIED_COLUMNS) return [];
  return needed.filter((column) => !column.notNull && found.every(({ name }) => name !== column.name));
}

/** What keeps our statements from working with a table, or undefined when they fit. */
function layoutFlaw(needed: readonly ColumnDesign[], found: readonly ColumnDesign[]): string | undefined {
  for (const column of needed) {
    const existing = found.find(({ name }) => name === column.name);
    const flaw = existing === undefined ? `has no column ${column.name}` : columnFlaw(column, existing);
    if (flaw !== undefined) return flaw;
  }
  const stranger = found.find(
    (column) => column.notNull && !column.hasDefault && needed.every(({ name }) => name !== column.name),
  );
  return stranger && `has a further column ${stranger.name} that must be filled`;
}

function columnFlaw(needed: ColumnDesign, found: ColumnDesign): string | undefined {
  if (found.affinity !== needed.affinity && found.affinity !== "NONE") {
    return `has a column ${needed.name} of type ${found.affinity} where ${needed.affinity} is needed`;
  }
  if (found.keyPlace !== needed.keyPlace) return `has another primary key (column ${needed.name})`;
  if (found.notNull && !needed.notNull && needed.keyPlace === 0) return `does not allow null in column ${needed.name}`;
  return undefined;
}

function checkLegacyLaunchFailures({ database, path, tables }: Existing): void {
  if (!tables.has("workflow_notifications")) return;
  // Asked once per opening; the table is another program's, which gave it no index for this.
  const pending = database
    .prepare<[], number>(
      "SELECT count(*) FROM workflow_notifications WHERE kind = 'launch_failure' AND delivered_at IS NULL",
    )
    .pluck()
    .get();
  if (pending === undefined || pending === 0) return;
  const message =
    `The controller store ${path} holds undelivered launch_failure notifications (${pending}) of an earlier alpha, which this version ` +
    `neither delivers nor deletes. ${resetInstruction(path)}`;
  throw new DeferredTurnsError({ code: "LEGACY_LAUNCH_FAILURES", message });
}

function incompatible(path: string, why: string): DeferredTurnsError {
  const message = `${path} cannot be used as a controller store: ${why}. ${resetInstruction(path)}`;
  return new DeferredTurnsError({ code: "INCOMPATIBLE_STORE", message });
}
