import { type ContractField, contractFields } from "../contracts/fieldRules.ts";
import type { ColumnModel, Contract, TableModel, ValueRules } from "../model.ts";
import { describeValue, quote } from "../wording.ts";
import { newValue } from "./columnGuards.ts";
import { type Guard, literal, literals } from "./sqlText.ts";
import { patternViolations } from "./textSql.ts";

/**
 * Every rule of a contract for the column that holds it as JSON text. Each guard relies on those before it: JSON
 * functions fail without a sentence on text that is not JSON.
 */
export function contractGuards(table: TableModel, column: ColumnModel, contract: Contract): readonly Guard[] {
  const text = newValue(column.name);
  const place = `${table.name}.${column.name}`;
  return [
    ...textGuards(text, place, column),
    ...keyGuards(text, place, contract),
    ...contractFields(contract).map((field) => fieldGuard(text, place, field)),
    ...mirrorGuards(text, place, table, column),
  ];
}

function textGuards(text: string, place: string, { rules: { maxBytes } }: ColumnModel): readonly Guard[] {
  const bytes = `length(CAST(${text} AS BLOB))`;
  return [
    { sentence: `${place} must be text.`, all: [`typeof(${text}) <> 'text'`] },
    ...(maxBytes === undefined
      ? []
      : [{ sentence: `${place} must have at most ${maxBytes} bytes of UTF-8.`, all: [`${bytes} > ${maxBytes}`] }]),
    // Behind a NUL anything could follow: SQLite reads the JSON only up to there.
    { sentence: `${place} must not contain U+0000.`, all: [`instr(${text}, char(0)) > 0`] },
    { sentence: `${place} must be a JSON object.`, all: [`NOT json_valid(${text})`] },
    { sentence: `${place} must be a JSON object.`, all: [`json_type(${text}) <> 'object'`] },
    {
      sentence: `${place} must not contain U+0000, escaped as \\u0000.`,
      all: [`instr(${escapes(text)}, '\\u0000') > 0`],
    },
    { sentence: `${place} must not contain a lone surrogate.`, ...loneSurrogate(text) },
  ];
}

/** The text with every escaped backslash replaced, so that each backslash left begins an escape. */
function escapes(text: string): string {
  return `replace(${text}, '\\\\', '//')`;
}

const HIGH = "\\u[dD][89abAB]??";
const LOW = "\\u[dD][c-fC-F]??";

/** Escapes of surrogates stand in pairs, high before low. A text without any is not searched further. */
function loneSurrogate(text: string): Omit<Guard, "sentence"> {
  const notLow = ["[^\\]", "\\[^u]", "\\u[^dD]", "\\u[dD][^c-fC-F]"].map((next) => `*${HIGH}${next}*`);
  const notHigh = ["[^\\]?????", "\\[^u]????", "\\u[^dD]???", "\\u[dD][^89abAB]??"].map((last) => `*${last}${LOW}*`);
  const globs = [...notLow, ...notHigh].map((pattern) => `${escapes(text)} GLOB ${literal(pattern)}`);
  return { all: [`${text} GLOB '*\\u[dD]*'`], any: globs };
}

function keyGuards(text: string, place: string, contract: Contract): readonly Guard[] {
  const fields = Object.keys(contract.schema.properties ?? {});
  const twice = {
    sentence: `${place} must not have a field twice.`,
    all: [`(SELECT count(*) > count(DISTINCT key) FROM json_each(${text}))`],
  };
  const unknown = {
    sentence: `${place} must not have a field that ${contract.name} does not know.`,
    all: [`EXISTS (SELECT 1 FROM json_each(${text}) WHERE key NOT IN (${literals(fields)}))`],
  };
  return contract.schema.additionalProperties === false ? [twice, unknown] : [twice];
}

function fieldGuard(text: string, place: string, field: ContractField): Guard {
  const { name, required, value } = field;
  const good = isGood(value, field.place);
  const be = `must be ${describeValue(value)}`;
  return {
    sentence: `${place}: ${name} ${required ? `is required and ${be}` : be}.`,
    all: required
      ? [`NOT ${existsField(text, name, good)}`]
      : [existsField(text, name, `NOT ${good.startsWith("(") ? good : `(${good})`}`)],
  };
}

/** Fields are found by json_each and not by a path: a path of SQLite 3.40 misses a name that is written with escapes. */
function existsField(text: string, name: string, condition: string): string {
  return `EXISTS (\n    SELECT 1 FROM json_each(${text})\n    WHERE key = ${literal(name)} AND ${condition}\n  )`;
}

/** The JSON types of a kind of value, as SQLite names them. */
const JSON_TYPES: Readonly<Record<ValueRules["kind"], readonly string[]>> = {
  text: ["text"],
  integer: ["integer", "real"],
  number: ["integer", "real"],
  boolean: ["true", "false"],
};

/** When the `type` and `value` of json_each keep every rule. */
function isGood(rules: ValueRules, place: string): string {
  const { kind, nullable, constant, oneOf = constant === undefined ? undefined : [constant], pattern } = rules;
  const conditions = [
    `type ${among(JSON_TYPES[kind])}`,
    ...(oneOf === undefined ? [] : [`value ${among(oneOf)}`]),
    ...(kind === "text" ? lengthConditions(rules) : []),
    ...(pattern === undefined ? [] : [`NOT (${patternViolations(pattern, "value", `${place}/pattern`).join(" OR ")})`]),
    // JSON has one kind of number: 1.0 is as whole as 1.
    ...(kind === "integer" ? ["value = CAST(value AS INTEGER)"] : []),
    ...numberConditions(rules),
  ].join(" AND ");
  return nullable ? `(type = 'null' OR (${conditions}))` : conditions;
}

function among(values: readonly (string | number | boolean)[]): string {
  return values.length === 1 ? `= ${literals(values)}` : `IN (${literals(values)})`;
}

function lengthConditions({ minLength = 0, maxLength }: ValueRules): readonly string[] {
  if (maxLength === undefined) return minLength === 0 ? [] : [`length(value) >= ${minLength}`];
  return [minLength === 0 ? `length(value) <= ${maxLength}` : `length(value) BETWEEN ${minLength} AND ${maxLength}`];
}

function numberConditions({ minimum, maximum }: ValueRules): readonly string[] {
  return [
    ...(minimum === undefined ? [] : [`value >= ${minimum}`]),
    ...(maximum === undefined ? [] : [`value <= ${maximum}`]),
  ];
}

function mirrorGuards(text: string, place: string, table: TableModel, column: ColumnModel): readonly Guard[] {
  return (column.rules.mirrors ?? []).flatMap((field) => {
    const mirrored = table.columns.find((each) => each.field === field);
    if (mirrored === undefined) return [];
    return {
      sentence: `${place}: ${quote(field)} must equal the column ${mirrored.name}.`,
      all: [`${newValue(mirrored.name)} IS NOT (SELECT value FROM json_each(${text}) WHERE key = ${literal(field)})`],
    };
  });
}
