import Database from "better-sqlite3";
import { INDEXES, TABLES, TRIGGERS } from "../../../generated/ddl.ts";
import { StoreConnection } from "../../../src/store/database/connection.ts";
import { type StoreParts, storeParts } from "../../../src/store/storeParts.ts";

/** A database in memory with the layout of a store. */
export function memoryDatabase(): Database.Database {
  const database = new Database(":memory:");
  database.pragma("synchronous = OFF");
  for (const { sql } of [...TABLES, ...INDEXES, ...TRIGGERS]) database.exec(sql);
  return database;
}

/** The store's operations on a database in memory, which no store for users can be in: only the processor counts. */
export function memoryStore(): StoreParts {
  const options = { path: ":memory:", busyTimeoutMs: 200, now: Date.now };
  return storeParts(new StoreConnection(memoryDatabase(), options), () => undefined);
}
