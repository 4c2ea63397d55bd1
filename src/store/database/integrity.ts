import type { Database } from "better-sqlite3";
import { damagedStore } from "./storeErrors.ts";

/** The tables whose rows would be missed. */
const CHECKED_TABLES = ["workflow_turn_intents", "workflow_run_queue", "run_events"];

/** The largest file that is checked at its opening: that takes some 2 ms for each MiB, and a person waits for it. */
const CHECKED_BYTES = 8 * 1024 * 1024;

/** Findings about the values of a row, which the reader of the row judges. */
const ABOUT_A_VALUE = /^(NULL|NUMERIC|TEXT|non-\w+) value in |^CHECK constraint failed/;

/**
 * Refuses a store whose tables and indexes contradict each other, as after a failing disk: SQLite itself notices only
 * what it stumbles over, and a row that an index has lost would be missed in silence. Only reads. A file of more than
 * 8 MiB passes unchecked.
 *
 * @throws DeferredTurnsError `STORE_FAILED`
 */
export function checkIntegrity(database: Database, path: string): void {
  if (sizeOf(database) > CHECKED_BYTES) return;
  const damage = findDamage(database);
  if (damage !== undefined) throw damagedStore(path, damage);
}

/** The first contradiction between tables and indexes, in SQLite's words, in a file of any size. Only reads. */
export function findDamage(database: Database): string | undefined {
  for (const table of existing(database)) {
    const found = database.prepare<[], string>(`PRAGMA integrity_check(${table})`).pluck().all();
    const damage = found.find((message) => message !== "ok" && !ABOUT_A_VALUE.test(message));
    if (damage !== undefined) return damage;
  }
  return undefined;
}

function sizeOf(database: Database): number {
  const [pages, pageSize] = ["page_count", "page_size"].map((name) => Number(database.pragma(name, { simple: true })));
  return (pages ?? 0) * (pageSize ?? 0);
}

function existing(database: Database): readonly string[] {
  const names = database.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
  return CHECKED_TABLES.filter((table) => names.includes(table));
}
