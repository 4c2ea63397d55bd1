import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { INDEXES, TABLES, TRIGGERS, VIEWS } from "../../../generated/ddl.ts";
import { columnsOf, storeDesign, storedSqlOf } from "../../../src/store/database/storeDesign.ts";

describe("the design of the store", () => {
  const database = new Database(":memory:");
  for (const { sql } of [...TABLES, ...INDEXES, ...TRIGGERS, ...VIEWS]) database.exec(sql);
  const { tables, indexes, triggers, views } = storeDesign();

  it("says what SQLite keeps of each index, guard and view", () => {
    const parts = [...indexes, ...triggers, ...views];
    expect(parts).toHaveLength(INDEXES.length + TRIGGERS.length + VIEWS.length);
    for (const { name, storedSql } of parts) expect(storedSql).toBe(storedSqlOf(database, name));
  });

  it("says what SQLite makes of each column", () => {
    expect(tables.map(({ name }) => name)).toEqual(TABLES.map(({ name }) => name));
    for (const { name, columns } of tables) expect(columns).toEqual(columnsOf(database, name));
  });
});
