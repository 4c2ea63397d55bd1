import { type ColumnModel, contractOf, type Sources, type TableModel, type ViewRules } from "../model.ts";
import { snakeCase } from "../names.ts";
import { identifier, literal } from "./sqlText.ts";

export interface ViewModel {
  readonly name: string;
  readonly table: string;
  /** The finished statement, without its semicolon. */
  readonly sql: string;
}

/** The views of all tables, in the order of creation. */
export function readViews(sources: Sources): readonly ViewModel[] {
  return sources.tables.flatMap((table) => table.rules.views.map((rules) => view(sources, table, rules)));
}

/** A view has the columns of its table; in place of JSON text it has the fields that no other column repeats. */
function view(sources: Sources, table: TableModel, { name, condition, order }: ViewRules): ViewModel {
  const columns = table.columns.flatMap((column) => shownColumns(sources, column));
  const sql = [
    `CREATE VIEW IF NOT EXISTS ${identifier(name)} AS`,
    `SELECT\n  ${columns.join(",\n  ")}`,
    `FROM ${identifier(table.name)}`,
    `WHERE ${condition}`,
    `ORDER BY ${order}`,
  ];
  return { name, table: table.name, sql: sql.join("\n") };
}

function shownColumns(sources: Sources, column: ColumnModel): readonly string[] {
  const { holds, mirrors = [] } = column.rules;
  const contract = holds === undefined ? undefined : contractOf(sources, holds);
  if (contract === undefined) return [identifier(column.name)];
  return Object.entries(contract.schema.properties ?? {})
    .filter(([field, schema]) => schema.const === undefined && !mirrors.includes(field))
    .map(([field]) => `${fieldSql(column, field)} AS ${identifier(snakeCase(field))}`);
}

/** A row of an older program may hold anything: what is no JSON has no fields, and hides no other row. */
function fieldSql({ name }: ColumnModel, field: string): string {
  const text = identifier(name);
  return `CASE WHEN typeof(${text}) = 'text' AND json_valid(${text}) THEN json_extract(${text}, ${literal(`$.${field}`)}) END`;
}
