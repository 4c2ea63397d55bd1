import { readFileSync } from "node:fs";

/** The statement of a DDL file that creates a table, with its semicolon. */
export function tableSql(ddlFile: string, table: string): string {
  const text = readFileSync(ddlFile, "utf8");
  const begin = text.indexOf(`CREATE TABLE IF NOT EXISTS "${table}"`);
  if (begin === -1) throw new Error(`${ddlFile} creates no table ${table}.`);
  return text.slice(begin, text.indexOf(";", begin) + 1);
}
