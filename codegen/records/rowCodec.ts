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
    const found = columnViolations(column, value);
    if (found.length > 0) violations.push(...found);
    else if (column.contract === undefined || value === null) record[column.field] = decodeValue(column, value);
    else {
      const text = value as string;
      const held = heldValue(text);
      const broken = contractViolations(column, held, source);
      violations.push(...(broken.length > 0 ? broken : repeatedFields(column, text)));
      record[column.field] = held;
    }
  }
  return violations.length > 0 ? { ok: false, violations } : { ok: true, record };
}

export function encodeRecord(shape: RowShape, record: object): Record<string, unknown> {
  const source = record as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    shape.columns.map((column) => [column.name, encodeValue(column, source[column.field] ?? null)]),
  );
}

function decodeValue({ kind }: ColumnShape, value: unknown): unknown {
  return kind === "boolean" && value !== null ? value === 1 : value;
}

function encodeValue({ contract, kind }: ColumnShape, value: unknown): unknown {
  if (value === null) return null;
  if (contract !== undefined) return JSON.stringify(value);
  return kind === "boolean" ? Number(value) : value;
}

/** The rule that a value breaks first, in the order of type, values, form and bounds. */
function columnViolations(column: ColumnShape, value: unknown): readonly ContractViolation[] {
  if (value === null && column.nullable) return [];
  const broken = brokenRule(column, value);
  if (broken === undefined) return [];
  const [rule, bound] = broken;
  return [{ path: `/${column.name}`, rule, bound, message: `/${column.name} ${column.demand}` }];
}

type BrokenRule = readonly [rule: string, bound: unknown];

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
  const length = codePoints(text);
  if (/[\0\p{Surrogate}]/u.test(text)) return ["not", "text with U+0000 or a lone surrogate"];
  if (length < minLength) return ["minLength", minLength];
  if (length > maxLength) return ["maxLength", maxLength];
  if (column.pattern?.test(text) === false) return ["pattern", column.pattern.source];
  if (column.timestamp === true && !isTimestamp(text)) return ["timestamp", "2026-08-21T08:17:31.000Z"];
  return utf8Bytes(text) > maxBytes ? ["maxBytes", maxBytes] : undefined;
}

function brokenNumberRule({ minimum, maximum }: ColumnShape, value: number): BrokenRule | undefined {
  if (minimum !== undefined && value < minimum) return ["minimum", minimum];
  return maximum !== undefined && value > maximum ? ["maximum", maximum] : undefined;
}

function groupViolations({ groups }: RowShape, row: Readonly<Record<string, unknown>>): ContractViolation[] {
  return groups.flatMap(({ rule, columns }) => {
    const set = columns.filter((column) => row[column] !== null && row[column] !== undefined).length;
    const kept = rule === "allOrNone" ? set === 0 || set === columns.length : set < columns.length;
    if (kept) return [];
    const demand = rule === "allOrNone" ? "must all be set or all be null" : "must not both be set";
    return { path: `/${columns[0]}`, rule, bound: columns, message: `The columns ${columns.join(", ")} ${demand}.` };
  });
}

/** What does not parse stays text, and its contract refuses it. */
function heldValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function contractViolations(
  { name, contract, mirrors }: ColumnShape,
  value: unknown,
  row: Readonly<Record<string, unknown>>,
): readonly ContractViolation[] {
  const broken = (contract?.(value) ?? []).map(({ path, rule, bound, message }) => ({
    path: `/${name}${path}`,
    rule,
    bound,
    message: path === "" ? `/${name} ${message.replace("The value ", "")}` : `/${name}${message}`,
  }));
  if (broken.length > 0) return broken;
  const fields = value as Readonly<Record<string, unknown>>;
  return (mirrors ?? []).flatMap(({ field, column }) => {
    if (fields[field] === row[column]) return [];
    const path = `/${name}/${field}`;
    return { path, rule: "mirrors", bound: row[column], message: `${path} must equal the column ${column}.` };
  });
}

/** Fields that JSON text gives twice: parsers disagree on which one counts. A contract that a column holds is flat. */
function repeatedFields({ name }: ColumnShape, text: string): readonly ContractViolation[] {
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

function codePoints(text: string): number {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

function utf8Bytes(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** UTC with milliseconds in 24 characters, and a real calendar date. */
function isTimestamp(text: string): boolean {
  const time = Date.parse(text);
  return text.length === 24 && !Number.isNaN(time) && new Date(time).toISOString() === text;
}
