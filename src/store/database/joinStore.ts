import type { Database } from "better-sqlite3";
import { CONTROLLER_STORE_SCHEMA_ID } from "../../../generated/ddl.ts";
import {
  columnsOf,
  GUARD_PREFIX,
  INTENTS_TABLE,
  isExactly,
  type PartDesign,
  type StoreDesign,
  storeDesign,
  storedSqlOf,
} from "./storeDesign.ts";
import { addableColumns, checkLayout } from "./storeLayout.ts";

/** The index that keeps a run and session from having two unresolved intents. */
const ONE_PENDING_RUN = "workflow_turn_intents_one_pending_run";

/** What an opening found that a person should know. */
export type JoinFinding = "duplicatePendingIntents";

/**
 * Creates what the store lacks: all of it in an empty database; in an existing one the missing tables, and the columns,
 * indexes, guards and views of `workflow_turn_intents`, of which older versions are replaced. Tables of other programs and all rows
 * stay as they are. A store that lacks nothing is not written to.
 */
export function joinStore(database: Database, path: string, design = storeDesign()): readonly JoinFinding[] {
  if (missingParts(database, design).length > 0) {
    const join = database.transaction(() => {
      // Another process may have written since the first look.
      checkLayout(database, path, design);
      for (const sql of missingParts(database, design)) database.exec(sql);
    });
    join.immediate();
  }
  return hasDuplicatePendingIntents(database, design) ? ["duplicatePendingIntents"] : [];
}

/** The statements that make the store complete, in the order in which they must run. */
function missingParts(database: Database, design: StoreDesign): readonly string[] {
  if (isExactly(database, design)) return [];
  const missingTables = design.tables.filter(({ name }) => storedSqlOf(database, name) === undefined);
  const created = new Set(missingTables.map(({ name }) => name));
  return [
    ...missingTables.map(({ createSql }) => createSql),
    ...missingSchemaId(created),
    ...missingColumns(database, design),
    ...staleGuards(database, design),
    ...design.indexes
      .filter(({ table }) => table === INTENTS_TABLE || created.has(table))
      .flatMap((index) => replaceIndex(database, design, index)),
    ...design.triggers
      .filter(({ name, storedSql }) => storedSqlOf(database, name) !== storedSql)
      .map(({ createSql }) => createSql),
    ...design.views.flatMap((view) => replaceView(database, view)),
  ];
}

/** Creates a view, in place of one that has its name and another form. A table of that name is another program's. */
function replaceView(database: Database, { name, createSql, storedSql }: PartDesign): readonly string[] {
  const existing = database
    .prepare<[string], { readonly type: string; readonly sql: string }>(
      "SELECT type, sql FROM sqlite_schema WHERE name = ?",
    )
    .get(name);
  if (existing === undefined) return [createSql];
  return existing.type === "view" && existing.sql !== storedSql ? [`DROP VIEW "${name}"`, createSql] : [];
}

function missingColumns(database: Database, { tables }: StoreDesign): readonly string[] {
  return tables.flatMap(({ name, columns }) =>
    addableColumns(name, columns, columnsOf(database, name)).map(
      (column) => `ALTER TABLE "${name}" ADD COLUMN "${column.name}" ${column.affinity}`,
    ),
  );
}

function missingSchemaId(created: ReadonlySet<string>): readonly string[] {
  return created.has("schema_info")
    ? [`INSERT INTO schema_info (singleton, schema_id) VALUES (1, '${CONTROLLER_STORE_SCHEMA_ID}')`]
    : [];
}

/** Drops guards that another version created and this one has not, or has in another form. */
function staleGuards(database: Database, { triggers }: StoreDesign): readonly string[] {
  const existing = database
    .prepare<[string, string], { readonly name: string; readonly sql: string }>(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ? AND name GLOB ?",
    )
    .all(INTENTS_TABLE, `${GUARD_PREFIX}*`);
  return existing
    .filter(({ name, sql }) => !triggers.some((ours) => ours.name === name && ours.storedSql === sql))
    .map(({ name }) => `DROP TRIGGER "${name.replaceAll('"', '""')}"`);
}

/** Creates an index, in place of one that has its name and another form. */
function replaceIndex(database: Database, design: StoreDesign, index: PartDesign): readonly string[] {
  const wanted =
    index.name === ONE_PENDING_RUN && hasDuplicatePendingIntents(database, design) ? withoutUnique(index) : index;
  const existing = storedSqlOf(database, index.name);
  if (existing === wanted.storedSql) return [];
  return [...(existing === undefined ? [] : [`DROP INDEX "${index.name}"`]), wanted.createSql];
}

/**
 * An older program may have left two unresolved intents of one run and session. They keep the unique index from being
 * made; until they are resolved a plain one of the same name serves the queries.
 */
function withoutUnique({ createSql, storedSql, ...index }: PartDesign): PartDesign {
  const plain = (sql: string): string => sql.replace(/^CREATE UNIQUE INDEX/, "CREATE INDEX");
  return { ...index, createSql: plain(createSql), storedSql: plain(storedSql) };
}

/** Whether an older program left two unresolved intents of one run and session. */
export function hasDuplicatePendingIntents(database: Database, design: StoreDesign): boolean {
  const unique = design.indexes.find(({ name }) => name === ONE_PENDING_RUN);
  const isImpossible = storedSqlOf(database, ONE_PENDING_RUN) === unique?.storedSql;
  if (isImpossible || storedSqlOf(database, INTENTS_TABLE) === undefined) return false;
  const duplicate = database
    .prepare(
      `SELECT 1 FROM ${INTENTS_TABLE} WHERE resolved_at IS NULL GROUP BY run_id, target_session_id HAVING count(*) > 1 LIMIT 1`,
    )
    .get();
  return duplicate !== undefined;
}
