import { identifier } from "../../../codegen/ddl/sqlText.ts";

/** A value of a column: what has a literal, or an expression of SQL. */
export type SqlValue = string | number | null | { readonly sql: string };

/** The values of a row by the names of their columns. */
export type Row = Readonly<Record<string, SqlValue>>;

export function insertSql(table: string, row: Row): string {
  const columns = Object.keys(row).map(identifier).join(", ");
  return `INSERT INTO ${identifier(table)} (${columns}) VALUES (${Object.values(row).map(literalOf).join(", ")})`;
}

export function updateSql(table: string, changes: Row): string {
  const set = Object.entries(changes).map(([column, value]) => `${identifier(column)} = ${literalOf(value)}`);
  return `UPDATE ${identifier(table)} SET ${set.join(", ")}`;
}

/** SQL text ends at a NUL, so that one is written as an expression. */
function literalOf(value: SqlValue): string {
  if (value === null) return "NULL";
  if (typeof value === "number") return String(value);
  if (typeof value === "object") return value.sql;
  const parts = value.split("\u0000").map((part) => `'${part.replaceAll("'", "''")}'`);
  return parts.length === 1 ? parts.join("") : parts.join(" || char(0) || ");
}
