import { hasLength, isStorable } from "../validators/textRules.ts";
import type { ContractViolation, Decoded } from "./rowViolations.ts";

/** What a column holds, in the terms of its codec. */
export interface ColumnShape {
  readonly name: string;
  readonly field: string;
  readonly kind: "text" | "integer" | "number" | "boolean";
  readonly nullable: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly constant?: string | number | boolean;
  readonly pattern?: RegExp;
  readonly oneOf?: readonly unknown[];
  readonly timestamp?: boolean;
  readonly maxBytes?: number;
  readonly contract?: (value: unknown) => readonly ContractViolation[];
  readonly mirrors?: readonly { readonly field: string; readonly column: string }[];
  /** What the value must be, as the end of a sentence. */
  readonly demand: string;
}

export interface RowShape {
  readonly columns: readonly ColumnShape[];
  readonly groups: readonly { readonly rule: "allOrNone" | "neverBoth"; readonly columns: readonly string[] }[];
}

export function decodeRow(shape: RowShape, row: unknown): Decoded<unknown> {
  if (typeof row !== "object" || row === null) {
    return {
      ok: false,
      violations: [{ path: "", rule: "type", bound: "object", message: "The row must be an object." }],
    };
  }
  const source = row as Readonly<Record<string, unknown>>;
  const violations: ContractViolation[] = groupViolations(shape, source);
  const record: Record<string, unknown> = {};
  for (const column of shape.columns) {
    const value = source[column.name];
    const broken = value === null && column.nullable ? undefined : brokenRule(column, value);
    if (broken !== undefined) violations.push(columnViolation(column, broken));
    else if (column.contract === undefined || value === null) record[column.field] = decodeValue(column, value);
    else {
      const text = value as string;
      const held = heldValue(text);
      violations.push(...contractViolations(column, { text, held, row: source }));
      record[column.field] = held;
    }
  }
  return violations.length > 0 ? { ok: false, violations } : { ok: true, record };
}

export function encodeRecord(shape: RowShape, record: object): Record<string, unknown> {
  const source = record as Readonly<Record<string, unknown>>;
  const row: Record<string, unknown> = {};
  for (const column of shape.columns) row[column.name] = encodeValue(column, source[column.field] ?? null);
  return row;
}

function decodeValue({ kind }: ColumnShape, value: unknown): unknown {
  return kind === "boolean" && value !== null ? value === 1 : value;
}

function encodeValue({ contract, kind }: ColumnShape, value: unknown): unknown {
  if (value === null) return null;
  if (contract !== undefined) return JSON.stringify(value);
  return kind === "boolean" ? Number(value) : value;
}

function columnViolation({ name, demand }: ColumnShape, [rule, bound]: BrokenRule): ContractViolation {
  return { path: `/${name}`, rule, bound, message: `/${name} ${demand}` };
}

type BrokenRule = readonly [rule: string, bound: unknown];

/** The rule that a value breaks first, in the order of type, values, form and bounds. */
function brokenRule(column: ColumnShape, value: unknown): BrokenRule | undefined {
  if (column.constant !== undefined && value !== column.constant) return ["const", column.constant];
  if (column.oneOf !== undefined && !column.oneOf.includes(value)) return ["enum", column.oneOf];
  switch (column.kind) {
    case "text":
      return typeof value === "string" ? brokenTextRule(column, value) : ["type", "string"];
    case "integer":
      return Number.isSafeInteger(value) ? brokenNumberRule(column, value as number) : ["type", "integer"];
    case "number":
      return typeof value === "number" ? brokenNumberRule(column, value) : ["type", "number"];
    case "boolean":
      return value === 0 || value === 1 ? undefined : ["type", "boolean"];
  }
}

function brokenTextRule(column: ColumnShape, text: string): BrokenRule | undefined {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, maxBytes = Number.POSITIVE_INFINITY } = column;
  if (!isStorable(text)) return ["not", "text with U+0000 or a lone surrogate"];
  if (!hasLength(text, minLength, Number.POSITIVE_INFINITY)) return ["minLength", minLength];
  if (!hasLength(text, 0, maxLength)) return ["maxLength", maxLength];
  if (column.pattern?.test(text) === false) return ["pattern", column.pattern.source];
  if (column.timestamp === true && !isTimestamp(text)) return ["timestamp", "2026-08-21T08:17:31.000Z"];
  return hasMoreBytes(text, maxBytes) ? ["maxBytes", maxBytes] : undefined;
}

function brokenNumberRule({ minimum, maximum }: ColumnShape, value: number): BrokenRule | undefined {
  if (minimum !== undefined && value < minimum) return ["minimum", minimum];
  return maximum !== undefined && value > maximum ? ["maximum", maximum] : undefined;
}

function groupViolations({ groups }: RowShape, row: Readonly<Record<string, unknown>>): ContractViolation[] {
  const violations: ContractViolation[] = [];
  for (const { rule, columns } of groups) {
    let set = 0;
    for (const column of columns) if (row[column] !== null && row[column] !== undefined) set += 1;
    if (rule === "allOrNone" ? set === 0 || set === columns.length : set < columns.length) continue;
    const demand = rule === "allOrNone" ? "must all be set or all be null" : "must not both be set";
    const message = `The columns ${columns.join(", ")} ${demand}.`;
    violations.push({ path: `/${columns[0]}`, rule, bound: columns, message });
  }
  return violations;
}

/** What does not parse stays text, and its contract refuses it. */
function heldValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The text of a contract's value in a column, what it says, and the row that it stands in. */
interface HeldText {
  readonly text: string;
  readonly held: unknown;
  readonly row: Readonly<Record<string, unknown>>;
}

function contractViolations(column: ColumnShape, { text, held, row }: HeldText): readonly ContractViolation[] {
  const { name, contract, mirrors = [] } = column;
  const broken = contract?.(held) ?? [];
  if (broken.length > 0) return broken.map((violation) => within(name, violation));
  const fields = held as Readonly<Record<string, unknown>>;
  const differing = mirrors.filter((mirror) => fields[mirror.field] !== row[mirror.column]);
  if (differing.length === 0) return repeatedFields(column, { text, held });
  return differing.map(({ field, column: mirrored }) => {
    const path = `/${name}/${field}`;
    return { path, rule: "mirrors", bound: row[mirrored], message: `${path} must equal the column ${mirrored}.` };
  });
}

/** The violation of a contract's value, told of the column that holds it. */
function within(name: string, { path, rule, bound, message }: ContractViolation): ContractViolation {
  const told = path === "" ? `/${name} ${message.replace("The value ", "")}` : `/${name}${message}`;
  return { path: `/${name}${path}`, rule, bound, message: told };
}

/** Fields that JSON text gives twice: parsers disagree on which one counts. A contract that a column holds is flat. */
function repeatedFields({ name }: ColumnShape, { text, held }: Omit<HeldText, "row">): readonly ContractViolation[] {
  // Text as it is written here gives nothing twice; only that of another program must be looked through.
  if (JSON.stringify(held) === text) return [];
  const strings = text.matchAll(/(?<text>"[^"\\]*(?:\\.[^"\\]*)*")(?<colon>\s*:)?/gu);
  const fields = [...strings].flatMap(({ groups }) =>
    groups?.["colon"] === undefined ? [] : [JSON.parse(groups["text"] ?? "") as string],
  );
  return fields
    .filter((field, index) => fields.indexOf(field) < index)
    .map((field) => {
      const path = `/${name}/${field}`;
      return { path, rule: "field-once", bound: 1, message: `${path} must not be given twice.` };
    });
}

/** A unit of a text takes at most three bytes, so that few texts must be written to be measured. */
function hasMoreBytes(text: string, maxBytes: number): boolean {
  return text.length * 3 > maxBytes && new TextEncoder().encode(text).length > maxBytes;
}

/** UTC with milliseconds in 24 characters, and a real calendar date. */
function isTimestamp(text: string): boolean {
  const time = Date.parse(text);
  return text.length === 24 && !Number.isNaN(time) && new Date(time).toISOString() === text;
}
