import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { INDEXES, TABLES, TRIGGERS, VIEWS } from "../../../generated/ddl.ts";
import {
  columnsOf,
  GUARD_PREFIX,
  isExactly,
  storeDesign,
  storedSqlOf,
} from "../../../src/store/database/storeDesign.ts";

function createdDatabase(): Database.Database {
  const database = new Database(":memory:");
  for (const { sql } of [...TABLES, ...INDEXES, ...TRIGGERS, ...VIEWS]) database.exec(sql);
  return database;
}

describe("the design of the store", () => {
  const database = createdDatabase();
  const { tables, indexes, triggers, views } = storeDesign();

  it("says what SQLite keeps of each table, index, guard and view", () => {
    const parts = [...tables, ...indexes, ...triggers, ...views];
    expect(parts).toHaveLength(TABLES.length + INDEXES.length + TRIGGERS.length + VIEWS.length);
    for (const { name, storedSql } of parts) expect(storedSql).toBe(storedSqlOf(database, name));
  });

  it("says what SQLite makes of each column", () => {
    expect(tables.map(({ name }) => name)).toEqual(TABLES.map(({ name }) => name));
    for (const { name, columns } of tables) expect(columns).toEqual(columnsOf(database, name));
  });

  it("is exactly that of a store which this version created, with other programs' tables and triggers beside it", () => {
    const created = createdDatabase();
    created.exec("CREATE TABLE notes (text); CREATE TRIGGER noted AFTER INSERT ON notes BEGIN SELECT 1; END");
    expect(isExactly(created, storeDesign())).toBe(true);
  });

  it("is compared with a schema in which a name is a blob, too", () => {
    const created = createdDatabase();
    created.unsafeMode();
    created.exec(
      "PRAGMA writable_schema = ON; INSERT INTO sqlite_schema VALUES ('view', x'716e', 'qn', 0, 'CREATE VIEW qn AS SELECT 1')",
    );
    expect(isExactly(created, storeDesign())).toBe(true);
  });

  it.each([
    ["lacks an index", `DROP INDEX "${INDEXES[0]?.name}"`],
    ["lacks a guard", `DROP TRIGGER "${TRIGGERS[0]?.name}"`],
    ["lacks a view", `DROP VIEW "${VIEWS[0]?.name}"`],
    [
      "has an index of another form",
      `DROP INDEX "${INDEXES[0]?.name}"; CREATE INDEX "${INDEXES[0]?.name}" ON run_events (type)`,
    ],
    ["has a further column", "ALTER TABLE workflow_turn_intents ADD COLUMN more TEXT"],
    [
      "has the guard of another version",
      `CREATE TRIGGER ${GUARD_PREFIX}other BEFORE INSERT ON workflow_turn_intents BEGIN SELECT 1; END`,
    ],
  ])("is not exactly that of a store which %s", (_, sql) => {
    const created = createdDatabase();
    created.exec(sql);
    expect(isExactly(created, storeDesign())).toBe(false);
  });
});
