import { describeColumn } from "../ddl/columnGuards.ts";
import { sqlType } from "../ddl/layout.ts";
import type { TriggerModel } from "../ddl/sqlText.ts";
import { readTriggers } from "../ddl/triggers.ts";
import type { ColumnModel, IndexModel, Sources, TableModel, ViewRules } from "../model.ts";
import { listing } from "../wording.ts";
import { bullets, code, markdownTable } from "./markdown.ts";

/** One table: its columns, what ties them together, its indexes, and what its guards say. */
export function describeTable(sources: Sources, table: TableModel): string {
  const columns = table.columns.map((column) => [
    code(column.name),
    sqlType(table, column),
    column.value.nullable ? "yes" : "no",
    describeRules(table, column),
    column.docs,
  ]);
  const life = describeLife(table);
  const triggers = readTriggers(sources)
    .filter((trigger) => trigger.table === table.name)
    .toReversed();
  return [
    `### ${table.name}\n`,
    `Record type: ${code(table.model)}\n`,
    `${table.docs}\n`,
    markdownTable(["Column", "Type", "Null", "Value", "Meaning"], columns),
    ...(life.length === 0 ? [] : ["Life of a row:\n", bullets(life)]),
    ...(table.indexes.length === 0 ? [] : ["Indexes:\n", bullets(table.indexes.map(describeIndex))]),
    ...(table.rules.views.length === 0
      ? []
      : ["Views for people, which no program reads:\n", bullets(table.rules.views.map(describeView))]),
    ...describeGuards(triggers),
  ].join("\n");
}

function describeRules(table: TableModel, column: ColumnModel): string {
  const { holds, mirrors = [], maxBytes, key } = column.rules;
  // Whether the column may be null stands in a column of its own.
  const value = describeColumn({ ...column, value: { ...column.value, nullable: false } });
  if (holds === undefined)
    return `${column.primaryKey ? "primary key; " : ""}${key === undefined ? value : `key: ${value}`}`;
  const repeats = mirrors.map((field) => code(table.columns.find((each) => each.field === field)?.name ?? field));
  return [
    `JSON text that holds ${code(holds)}`,
    ...(maxBytes === undefined ? [] : [`at most ${maxBytes} bytes`]),
    ...(repeats.length === 0 ? [] : [`repeats ${listing(repeats)}`]),
  ].join("; ");
}

function describeLife({ columns, rules }: TableModel): readonly string[] {
  const nameOf = (field: string): string => code(columns.find((column) => column.field === field)?.name ?? field);
  const fixed = columns.filter((column) => column.rules.immutable).map(({ name }) => code(name));
  const once = columns.filter((column) => column.rules.setOnce).map(({ name }) => code(name));
  return [
    ...(fixed.length === 0 ? [] : [`${listing(fixed)} never change.`]),
    ...once.map((column) => `${column} is set once: from null to its value, and never after.`),
    ...rules.allOrNone.map((fields) => `${listing(fields.map(nameOf))} are set together or null together.`),
    ...rules.neverBoth.map((fields) => `${listing(fields.map(nameOf))} are never both set.`),
    ...(rules.frozenBy === undefined ? [] : [`Once ${nameOf(rules.frozenBy)} is set, nothing in the row changes.`]),
  ];
}

function describeIndex({ name, unique, columns, where }: IndexModel): string {
  const condition = where === undefined ? "" : ` where ${code(where.replaceAll('"', ""))}`;
  return `${code(name)}: ${unique ? "unique " : ""}${listing(columns.map(code))}${condition}`;
}

function describeView({ name, condition }: ViewRules): string {
  return `${code(name)}: the rows where ${code(condition)}`;
}

/** A rule that an insert and an update share is told once. */
function describeGuards(triggers: readonly TriggerModel[]): readonly string[] {
  if (triggers.length === 0) return [];
  const events = new Map<string, Set<string>>();
  for (const { event, guards } of triggers) {
    for (const { sentence } of guards) {
      const told = events.get(sentence) ?? new Set<string>();
      events.set(sentence, told.add(event.split(" ").at(-1)?.toLowerCase() ?? ""));
    }
  }
  const rows = [...events].map(([sentence, names]) => [[...names].join(", "), sentence]);
  return [
    "Whoever writes, triggers refuse a row that breaks a rule. An update is judged by the columns that it changes, so that",
    "a row of an older program can still be claimed and resolved. The refusals:\n",
    markdownTable(["On", "Sentence"], rows),
  ];
}
