import { join } from "node:path";
import Database from "better-sqlite3";
import { TABLES } from "../../generated/ddl.ts";
import type { Row, Size } from "../src/row.ts";
import { fillWithHistory } from "../src/worlds/history.ts";

const INTENTS = 10_000;

export const row: Row = {
  what: "bytes on disk of one resolved intent, with all indexes",
  against: "the table alone, with the index of its primary key",
  prepare: (folder) => {
    const path = join(folder, "store.sqlite");
    fillWithHistory(path, INTENTS);
    const database = new Database(path, { readonly: true });
    const parts = database
      .prepare<[string], { readonly name: string; readonly bytes: number }>(
        `SELECT s.name, sum(d.pgsize) AS bytes FROM dbstat d JOIN sqlite_schema s ON s.name = d.name
         WHERE s.tbl_name = ? GROUP BY s.name ORDER BY s.rowid`,
      )
      .all(TABLES[0]?.name ?? "");
    database.close();
    const perIntent = parts.map(({ name, bytes }): Size => ({ name, bytes: bytes / INTENTS }));
    const own = perIntent.filter(({ name }) => name === TABLES[0]?.name || name.startsWith("sqlite_autoindex"));
    return { sizes: [{ name: "with all indexes", bytes: sum(perIntent), baselineBytes: sum(own) }, ...perIntent] };
  },
};

function sum(sizes: readonly Size[]): number {
  return sizes.reduce((total, { bytes }) => total + bytes, 0);
}
