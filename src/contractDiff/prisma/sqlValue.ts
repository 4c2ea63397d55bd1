import { identifier } from "../../../codegen/ddl/sqlText.ts";

/** A value of a column. Bytes stand for a BLOB. */
export type SqlValue = string | number | null | Uint8Array;

/** The values of a row by the names of their columns. */
export type Row = Readonly<Record<string, SqlValue>>;

/** A statement on one table. Where it is tried its values are bound; where it is shown they stand in the text. */
export type Statement =
  | { readonly kind: "insert" | "replace"; readonly table: string; readonly values: Row }
  /** Changes every row of the table. */
  | { readonly kind: "update"; readonly table: string; readonly values: Row }
  | { readonly kind: "delete"; readonly table: string };

/** The statement with a parameter for each value, in the order of `parametersOf`. */
export function preparedSql(statement: Statement): string {
  return sqlWith(statement, () => "?");
}

/** Whole numbers are bound as such: better-sqlite3 binds a number as a floating one. */
export function parametersOf(statement: Statement): readonly (string | number | bigint | null | Uint8Array)[] {
  if (statement.kind === "delete") return [];
  return Object.values(statement.values).map((value) =>
    Number.isSafeInteger(value) ? BigInt(value as number) : value,
  );
}

/** The statement as a person can run it. */
export function shownSql(statement: Statement): string {
  return sqlWith(statement, literalOf);
}

/** An INSERT that leaves out what is null anyway. */
export function withoutNulls(statement: Statement): Statement {
  if (statement.kind !== "insert") return statement;
  const values = Object.entries(statement.values).filter(([, value]) => value !== null);
  return { ...statement, values: Object.fromEntries(values) };
}

function sqlWith(statement: Statement, write: (value: SqlValue) => string): string {
  const table = identifier(statement.table);
  if (statement.kind === "delete") return `DELETE FROM ${table}`;
  const values = Object.entries(statement.values);
  if (statement.kind === "update") {
    return `UPDATE ${table} SET ${values.map(([column, value]) => `${identifier(column)} = ${write(value)}`).join(", ")}`;
  }
  const verb = statement.kind === "insert" ? "INSERT" : "INSERT OR REPLACE";
  const columns = values.map(([column]) => identifier(column)).join(", ");
  return `${verb} INTO ${table} (${columns}) VALUES (${values.map(([, value]) => write(value)).join(", ")})`;
}

/** SQL text ends at a NUL, so that one is written as an expression. */
function literalOf(value: SqlValue): string {
  if (value === null) return "NULL";
  if (typeof value === "number") return String(value);
  if (typeof value !== "string") return `X'${Buffer.from(value).toString("hex")}'`;
  const parts = value.split("\u0000").map((part) => `'${part.replaceAll("'", "''")}'`);
  return parts.join(" || char(0) || ");
}
