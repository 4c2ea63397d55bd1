import type { ColumnModel } from "../../../codegen/model.ts";
import { regexSamples } from "../schema/regexSamples.ts";
import { sampleColumnValue } from "./sampleRows.ts";
import type { SqlValue } from "./sqlValue.ts";

/** Values that one SQLite type tells from the others. */
const ANY_TYPE: readonly SqlValue[] = [null, 0, 1, -1, 0.5, "", "a", new Uint8Array([0x61]), "a\u0000b"];

/** Forms of a time that readers tend to take or to refuse. */
const TIMES = [
  "2026-08-21T08:17:31.000Z",
  "2026-08-21T08:17:31Z",
  "2026-08-21 08:17:31.000",
  "2026-02-30T08:17:31.000Z",
  "2026-08-21T10:17:31.000+02:00",
];

/** Values to try in a column, from the rules of both sides: their bounds, members and forms, and what lies beside them. */
export function columnValues(columns: readonly ColumnModel[], current: SqlValue): readonly SqlValue[] {
  const rules = columns.map(({ value }) => value);
  const members = rules.flatMap(({ oneOf = [], constant }) => [
    ...oneOf,
    ...(constant === undefined ? [] : [constant]),
  ]);
  const bounds = rules.flatMap(({ minimum, maximum }) => around(minimum, maximum));
  const bytes = columns.flatMap(({ rules: { maxBytes } }) => around(maxBytes));
  return [
    ...columns.map(sampleColumnValue),
    ...members.map((member) => (typeof member === "boolean" ? Number(member) : member)),
    ...bounds,
    ...rules
      .flatMap(({ minLength, maxLength }) => around(minLength, maxLength))
      .flatMap((length) => ofLength(length, current)),
    ...rules.flatMap(({ pattern }) => (pattern === undefined ? [] : forms(pattern))),
    ...bytes.map((length) => padded(current, length)),
    ...TIMES,
    ...ANY_TYPE,
  ];
}

function around(...bounds: readonly (number | undefined)[]): readonly number[] {
  return bounds.flatMap((bound) => (bound === undefined ? [] : [bound - 1, bound, bound + 1]));
}

function ofLength(length: number, current: SqlValue): readonly SqlValue[] {
  if (length < 0) return [];
  const shown = typeof current === "string" ? current : "a";
  return ["a".repeat(length), shown.slice(0, length).padEnd(length, shown.at(-1) ?? "a")];
}

function forms(pattern: string): readonly string[] {
  return regexSamples(pattern).flatMap((text) => [
    text,
    text.toUpperCase(),
    text.slice(1),
    text.slice(0, -1),
    `${text}a`,
  ]);
}

/** JSON text with as much white space as makes it so many bytes. */
function padded(current: SqlValue, bytes: number): SqlValue {
  if (typeof current !== "string" || !current.startsWith("{")) return current;
  return `{${" ".repeat(Math.max(0, bytes - Buffer.byteLength(current)))}${current.slice(1)}`;
}
