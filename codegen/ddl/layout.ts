import type { ColumnModel, IndexModel, Sources, TableModel } from "../model.ts";
import { identifier, literals } from "./sqlText.ts";

/** `CREATE TABLE IF NOT EXISTS`, so that a store that already has the table keeps it. */
export function tableSql(table: TableModel): string {
  const lines = table.sql.replace("CREATE TABLE", "CREATE TABLE IF NOT EXISTS").split("\n");
  return lines.map((line) => withCheck(line, table)).join("\n");
}

export function indexSql({ sql }: IndexModel): string {
  return sql.replace("INDEX", "INDEX IF NOT EXISTS");
}

export function allIndexes({ tables }: Sources): readonly { readonly table: string; readonly index: IndexModel }[] {
  return tables.flatMap((table) => table.indexes.map((index) => ({ table: table.name, index })));
}

/** SQLite's type of a column, as `PRAGMA table_info` reports it. */
export function sqlType(table: TableModel, column: ColumnModel): string {
  const line = table.sql.split("\n").find((each) => each.trim().startsWith(`${identifier(column.name)} `));
  return line?.trim().slice(identifier(column.name).length).trim().split(/[\s,]/)[0] ?? "";
}

/** Numbers of a table without guards are bounded by the table itself. Prisma writes one column a line. */
function withCheck(line: string, table: TableModel): string {
  const column = table.columns.find(({ name }) => line.trim().startsWith(`${identifier(name)} `));
  if (column === undefined || table.rules.guarded || column.value.kind !== "integer") return line;
  const conditions = numberConditions(column);
  if (conditions.length === 0) return line;
  return line.replace(/,?$/, (comma) => ` CHECK (${conditions.join(" AND ")})${comma}`);
}

function numberConditions({ name, value: { constant, minimum, maximum } }: ColumnModel): readonly string[] {
  return [
    ...(constant === undefined ? [] : [`${identifier(name)} = ${literals([constant])}`]),
    ...(minimum === undefined ? [] : [`${identifier(name)} >= ${minimum}`]),
    ...(maximum === undefined ? [] : [`${identifier(name)} <= ${maximum}`]),
  ];
}
