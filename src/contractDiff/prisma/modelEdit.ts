import { identifier } from "../../../codegen/ddl/sqlText.ts";
import type { ColumnModel, Sources, TableModel } from "../../../codegen/model.ts";
import type { ModelChange, ModelDifference } from "./modelChange.ts";

/** The old sources with this one change made: it tells what the change does by itself. */
export function withModelChange(old: Sources, { difference, table, new: after }: ModelChange): Sources {
  return edited(old, table, { difference, from: after });
}

/** The new sources with this one change taken back. */
export function withoutModelChange(current: Sources, { difference, table, old: before }: ModelChange): Sources {
  return edited(current, table, { difference: reversed(difference), from: before });
}

interface Edit {
  readonly difference: ModelDifference;
  /** The table of the side that the change leads to. */
  readonly from: TableModel | undefined;
}

function edited(sources: Sources, name: string, edit: Edit): Sources {
  if (edit.difference.kind === "table") {
    const others = sources.tables.filter((table) => table.name !== name);
    return { ...sources, tables: edit.from === undefined ? others : [...others, edit.from] };
  }
  return {
    ...sources,
    tables: sources.tables.map((table) => (table.name === name ? editedTable(table, edit) : table)),
  };
}

function editedTable(table: TableModel, { difference, from }: Edit): TableModel {
  switch (difference.kind) {
    case "words":
    case "table":
      return table;
    case "column":
      return difference.change === "added"
        ? withColumn(table, difference.column, from)
        : withoutColumn(table, difference.column);
    case "columnRule": {
      const column = table.columns.find(({ name }) => name === difference.after.name);
      return column === undefined
        ? table
        : withRule({ table, column, rule: difference.rule, like: difference.after, from });
    }
    case "enumMember":
      return withColumns(table, (column) =>
        column.name === difference.after.name ? withMember(column, difference) : column,
      );
    case "tableRule":
      return { ...table, rules: { ...table.rules, [difference.rule]: difference.after } };
    case "index": {
      const others = table.indexes.filter(({ name }) => name !== (difference.before ?? difference.after)?.name);
      return { ...table, indexes: difference.after === undefined ? others : [...others, difference.after] };
    }
  }
}

function withColumn(table: TableModel, column: ColumnModel, from: TableModel | undefined): TableModel {
  const lines = [...columnLines(table), lineOf(from, column.name)];
  return { ...table, columns: [...table.columns, column], sql: tableText(table, lines) };
}

function withoutColumn(table: TableModel, column: ColumnModel): TableModel {
  const lines = columnLines(table).filter((line) => !isLineOf(line, column.name));
  const columns = table.columns.filter(({ name }) => name !== column.name);
  return { ...table, columns, sql: tableText(table, lines) };
}

interface RuleEdit {
  readonly table: TableModel;
  readonly column: ColumnModel;
  readonly rule: string;
  readonly like: ColumnModel;
  readonly from: TableModel | undefined;
}

/** Takes one rule of a column from another, and with the rules that `CREATE TABLE` states the column's line. */
function withRule({ table, column, rule, like, from }: RuleEdit): TableModel {
  const changed = columnWithRule(column, rule, like);
  const isInTable = rule === "kind" || rule === "nullable" || rule === "primaryKey";
  const lines = columnLines(table).map((line) =>
    isInTable && isLineOf(line, column.name) ? lineOf(from, column.name) : line,
  );
  return { ...withColumns(table, (each) => (each === column ? changed : each)), sql: tableText(table, lines) };
}

function columnWithRule(column: ColumnModel, rule: string, like: ColumnModel): ColumnModel {
  if (rule === "primaryKey") return { ...column, primaryKey: like.primaryKey };
  if (Object.hasOwn(column.value, rule) || Object.hasOwn(like.value, rule)) {
    return { ...column, value: replaced(column.value, like.value, rule) };
  }
  return { ...column, rules: replaced(column.rules, like.rules, rule) };
}

/** One member of an object taken from another, or left out where the other has none. */
function replaced<Value extends object>(value: Value, like: Value, name: string): Value {
  const others = Object.entries(value).filter(([each]) => each !== name);
  const taken = Object.entries(like).filter(([each]) => each === name);
  return Object.fromEntries([...others, ...taken]) as Value;
}

type MemberDifference = Extract<ModelDifference, { readonly kind: "enumMember" }>;

function withMember(column: ColumnModel, { change, member }: MemberDifference): ColumnModel {
  const others = (column.value.oneOf ?? []).filter((each) => each !== member);
  return { ...column, value: { ...column.value, oneOf: change === "added" ? [...others, member] : others } };
}

function withColumns(table: TableModel, change: (column: ColumnModel) => ColumnModel): TableModel {
  return { ...table, columns: table.columns.map(change) };
}

/** The lines of `CREATE TABLE` between its parentheses, without their commas; Prisma writes one column a line. */
function columnLines({ sql }: TableModel): readonly string[] {
  return sql
    .split("\n")
    .slice(1, -1)
    .map((line) => line.replace(/,$/, ""));
}

function tableText({ sql }: TableModel, lines: readonly string[]): string {
  const [head = "", ...rest] = sql.split("\n");
  return [head, lines.join(",\n"), rest.at(-1) ?? ")"].join("\n");
}

function isLineOf(line: string, column: string): boolean {
  return line.trim().startsWith(`${identifier(column)} `);
}

function lineOf(table: TableModel | undefined, column: string): string {
  return (table === undefined ? [] : columnLines(table)).find((line) => isLineOf(line, column)) ?? "";
}

function reversed(difference: ModelDifference): ModelDifference {
  switch (difference.kind) {
    case "words":
      return difference;
    case "table":
    case "column":
      return { ...difference, change: difference.change === "added" ? "removed" : "added" };
    case "enumMember": {
      const change = difference.change === "added" ? "removed" : "added";
      return { ...difference, change, before: difference.after, after: difference.before };
    }
    case "columnRule":
      return { ...difference, before: difference.after, after: difference.before };
    case "tableRule":
      return { ...difference, before: difference.after, after: difference.before };
    case "index":
      return { ...difference, before: difference.after, after: difference.before };
  }
}
