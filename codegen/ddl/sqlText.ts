export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function literal(value: string | number | boolean): string {
  return typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(value);
}

export function literals(values: readonly (string | number | boolean)[]): string {
  return values.map(literal).join(", ");
}

/** A rule of a trigger: the sentence that refuses the row, and when it does. */
export interface Guard {
  readonly sentence: string;
  /** Conditions that must all be true for a refusal. */
  readonly all?: readonly string[];
  /** Conditions of which one must be true as well. */
  readonly any?: readonly string[];
}

export interface TriggerModel {
  readonly name: string;
  readonly table: string;
  /** `BEFORE INSERT`, and so on. */
  readonly event: string;
  /** A condition for all of its rules. */
  readonly when?: string;
  readonly guards: readonly Guard[];
  /** The finished statement, without its semicolon. */
  readonly sql: string;
}

/** Writes a trigger with one statement a rule, so that a changed rule is a changed line. */
export function trigger(parts: Omit<TriggerModel, "sql">): TriggerModel {
  const { name, table, event, when, guards } = parts;
  const lines = [
    `CREATE TRIGGER IF NOT EXISTS ${identifier(name)}`,
    `${event} ON ${identifier(table)}`,
    ...(when === undefined ? [] : [`WHEN ${when}`]),
    "BEGIN",
    ...guards.flatMap(statement),
    "END",
  ];
  return { ...parts, sql: lines.join("\n") };
}

function statement({ sentence, all = [], any = [] }: Guard): readonly string[] {
  const only = all.length === 0 ? any : [];
  const terms = all.length === 0 || any.length === 0 ? all : [...all, group(any)];
  const condition = only.length > 0 ? only.join("\n    OR ") : terms.join("\n    AND ");
  return [`  SELECT RAISE(ABORT, ${literal(sentence)})`, `  WHERE ${condition};`];
}

function group(any: readonly string[]): string {
  return any.length === 1 ? any.join("") : `(\n      ${any.join("\n      OR ")}\n    )`;
}
