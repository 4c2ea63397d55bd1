export function identifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function literal(value: string | number | boolean): string {
  return typeof value === "string" ? `'${value.replaceAll("'", "''")}'` : String(value);
}

export function literals(values: readonly (string | number | boolean)[]): string {
  return values.map(literal).join(", ");
}

/** Conditions of which one is enough. */
export function anyOf(conditions: readonly string[]): string {
  return conditions.join(" OR ");
}

/** A rule of a trigger: the sentence that refuses the row, and when it does. */
export interface Guard {
  readonly sentence: string;
  readonly refusedWhen: string;
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
    ...guards.flatMap(({ sentence, refusedWhen }) => [
      `  SELECT RAISE(ABORT, ${literal(sentence)})`,
      `  WHERE ${refusedWhen};`,
    ]),
    "END",
  ];
  return { ...parts, sql: lines.join("\n") };
}
