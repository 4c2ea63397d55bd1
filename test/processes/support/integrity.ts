import Database from "better-sqlite3";

/** What SQLite finds wrong with a database; nothing in one that is whole. */
export function integrityOf(path: string): readonly string[] {
  const database = new Database(path);
  try {
    const found = database.prepare<[], string>("PRAGMA integrity_check").pluck().all();
    return found.filter((line) => line !== "ok").map((line) => `database: ${line}`);
  } finally {
    database.close();
  }
}
