import { writtenOut } from "./notation.ts";

/** What a row of `workflow_turn_intents` differs in from the base row of its file. */
export interface RowDraft {
  /** Columns: text, a number, null, something repeated, or `{ "sql": … }` for an expression. */
  readonly columns?: Readonly<Record<string, unknown>>;
  /** Fields of the facts, whose JSON text is the column `fallback_facts_json` unless `columns` names it. */
  readonly facts?: Readonly<Record<string, unknown>>;
}

/** The statement that inserts a row. */
export function insertSql(base: Required<RowDraft>, draft: RowDraft, verb = "INSERT"): string {
  const facts = JSON.stringify(writtenOut({ ...base.facts, ...draft.facts }));
  const row = { ...base.columns, fallback_facts_json: facts, ...draft.columns };
  const columns = Object.keys(row).join(", ");
  const values = Object.values(row).map((value) => literal(writtenOut(value)));
  return `${verb} INTO workflow_turn_intents (${columns}) VALUES (${values.join(", ")});`;
}

function literal(value: unknown): string {
  if (value === null) return "NULL";
  if (typeof value === "string") return `'${value.replaceAll("'", "''")}'`;
  if (typeof value === "object") return String((value as { readonly sql: string }).sql);
  return String(value);
}
