import type { ColumnModel, TableModel, ValueRules } from "../model.ts";
import { PRISMA_FILE } from "../prisma/storeModel.ts";
import { describeValue, listing } from "../wording.ts";
import { type Guard, identifier, literals } from "./sqlText.ts";
import { lengthViolations, patternViolations } from "./textSql.ts";

/** JavaScript holds no larger whole number exactly. */
const LARGEST_INTEGER = Number.MAX_SAFE_INTEGER;

export const newValue = (column: string): string => `NEW.${identifier(column)}`;
export const oldValue = (column: string): string => `OLD.${identifier(column)}`;
export const changed = (column: string): string => `${newValue(column)} IS NOT ${oldValue(column)}`;

/** What one column must hold: its type, and its bounds, form or values. */
export function columnGuard(table: TableModel, column: ColumnModel): Guard {
  const value = newValue(column.name);
  const place = `${PRISMA_FILE}: ${table.model}.${column.field}`;
  return {
    sentence: `${table.name}.${column.name} must be ${describeColumn(column)}.`,
    any: column.rules.timestamp ? timestampViolations(column.value, value) : violationsOf(column.value, value, place),
  };
}

/** What a column must hold, as the end of a sentence. */
export function describeColumn({ rules, value }: ColumnModel): string {
  const orNull = value.nullable ? ", or null" : "";
  if (rules.holds !== undefined) {
    const limit = rules.maxBytes === undefined ? "" : ` of at most ${rules.maxBytes} bytes`;
    return `JSON text${limit} that holds ${rules.holds}${orNull}`;
  }
  if (!rules.timestamp) return describeValue(value);
  return `a UTC time of the form 2026-08-21T08:17:31.000Z${orNull}`;
}

/** Where the value is NULL, every comparison is NULL too and refuses nothing: the type alone decides. */
function violationsOf(rules: ValueRules, value: string, place: string): readonly string[] {
  const { constant, oneOf = constant === undefined ? undefined : [constant] } = rules;
  const missing = rules.nullable ? [] : [`${value} IS NULL`];
  if (oneOf !== undefined) return [...missing, `${value} NOT IN (${literals(oneOf)})`];
  switch (rules.kind) {
    case "text":
      return [
        typeViolation(rules, value, ["text"]),
        ...lengthViolations(value, rules.minLength, rules.maxLength),
        // length() stops at a NUL, so that text behind one would have no bound.
        `instr(${value}, char(0)) > 0`,
        ...(rules.pattern === undefined ? [] : patternViolations(rules.pattern, value, place)),
      ];
    case "integer":
      return [typeViolation(rules, value, ["integer"]), rangeViolation(rules, value)];
    case "number":
      return [typeViolation(rules, value, ["integer", "real"]), ...numberViolations(rules, value)];
    case "boolean":
      return [...missing, `${value} NOT IN (0, 1)`];
  }
}

function typeViolation({ nullable }: ValueRules, value: string, types: readonly string[]): string {
  const allowed = nullable ? [...types, "null"] : types;
  const test = allowed.length === 1 ? `<> ${literals(allowed)}` : `NOT IN (${literals(allowed)})`;
  return `typeof(${value}) ${test}`;
}

/** The form that sorts as text in the order of time. `+0 days` makes SQLite refuse 30 February. */
function timestampViolations(rules: ValueRules, value: string): readonly string[] {
  return [
    typeViolation(rules, value, ["text"]),
    `length(${value}) <> 24`,
    `strftime('%Y-%m-%dT%H:%M:%fZ', ${value}, '+0 days') IS NOT ${value}`,
  ];
}

function rangeViolation({ minimum = -LARGEST_INTEGER, maximum = LARGEST_INTEGER }: ValueRules, value: string): string {
  return `${value} NOT BETWEEN ${minimum} AND ${maximum}`;
}

function numberViolations({ minimum, maximum }: ValueRules, value: string): readonly string[] {
  return [
    ...(minimum === undefined ? [] : [`${value} < ${minimum}`]),
    ...(maximum === undefined ? [] : [`${value} > ${maximum}`]),
  ];
}

/** Rules that tie columns of one row together. */
export interface GroupGuard extends Guard {
  readonly columns: readonly string[];
}

export function groupGuards(table: TableModel): readonly GroupGuard[] {
  const columnOf = (field: string): string => table.columns.find((column) => column.field === field)?.name ?? field;
  const groups = table.rules.allOrNone.map((fields) => {
    const columns = fields.map(columnOf);
    const nulls = columns.map((column) => `(${newValue(column)} IS NULL)`).join(" + ");
    return {
      columns,
      sentence: `${table.name}: ${listing(columns)} must be set together or be null together.`,
      all: [`${nulls} NOT IN (0, ${columns.length})`],
    };
  });
  const pairs = table.rules.neverBoth.map((fields) => {
    const columns = fields.map(columnOf);
    return {
      columns,
      sentence: `${table.name}: ${listing(columns)} must not both be set.`,
      all: columns.map((column) => `${newValue(column)} IS NOT NULL`),
    };
  });
  return [...groups, ...pairs];
}
