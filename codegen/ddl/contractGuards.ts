import { type ContractField, contractFields } from "../contracts/fieldRules.ts";
import { GenerationFailure } from "../failure.ts";
import type { ColumnModel, Contract, TableModel, ValueRules } from "../model.ts";
import { describeValue, quote } from "../wording.ts";
import { newValue, numberViolations } from "./columnGuards.ts";
import { type Guard, literal, literals } from "./sqlText.ts";
import { lengthViolations, patternViolations } from "./textSql.ts";

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
  const strange = fields.find((field) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(field));
  if (strange !== undefined) {
    throw new GenerationFailure(
      `${contract.file}#/properties/${strange}: the database needs a name of letters and digits.`,
    );
  }
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
  const path = literal(`$.${field.name}`);
  const type = `json_type(${text}, ${path})`;
  const violations = violationsOf(field.value, type, `json_extract(${text}, ${path})`, field.place);
  const be = `must be ${describeValue(field.value)}`;
  return {
    sentence: `${place}: ${field.name} ${field.required ? `is required and ${be}` : be}.`,
    any: field.required ? [`${type} IS NULL`, ...violations] : violations,
  };
}

/** The JSON types of a kind of value, as SQLite names them. */
const JSON_TYPES: Readonly<Record<ValueRules["kind"], readonly string[]>> = {
  text: ["text"],
  integer: ["integer", "real"],
  number: ["integer", "real"],
  boolean: ["true", "false"],
};

function violationsOf(rules: ValueRules, type: string, value: string, place: string): readonly string[] {
  const types = [...JSON_TYPES[rules.kind], ...(rules.nullable ? ["null"] : [])];
  const wrongType = types.length === 1 ? `${type} <> ${literals(types)}` : `${type} NOT IN (${literals(types)})`;
  return [
    wrongType,
    ...(rules.constant === undefined ? [] : [`${value} <> ${literal(rules.constant)}`]),
    ...(rules.oneOf === undefined ? [] : [`${value} NOT IN (${literals(rules.oneOf)})`]),
    ...lengthViolations(value, rules.minLength, rules.maxLength),
    ...(rules.pattern === undefined ? [] : patternViolations(rules.pattern, value, `${place}/pattern`)),
    // JSON has one kind of number: 1.0 is as whole as 1.
    ...(rules.kind === "integer" ? [`${value} <> CAST(${value} AS INTEGER)`] : []),
    ...numberViolations(rules, value),
  ];
}

function mirrorGuards(text: string, place: string, table: TableModel, column: ColumnModel): readonly Guard[] {
  return (column.rules.mirrors ?? []).flatMap((field) => {
    const mirrored = table.columns.find((each) => each.field === field);
    if (mirrored === undefined) return [];
    return {
      sentence: `${place}: ${quote(field)} must equal the column ${mirrored.name}.`,
      all: [`json_extract(${text}, ${literal(`$.${field}`)}) IS NOT ${newValue(mirrored.name)}`],
    };
  });
}
