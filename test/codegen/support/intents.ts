/** A value that a test writes into a column: text, a number, null, or an expression of SQL. */
export type ColumnValue = string | number | null | SqlExpression;

/** SQL that stands for itself, where a value has no literal. */
export interface SqlExpression {
  readonly sql: string;
}

export type IntentValues = Readonly<Record<string, ColumnValue>>;

export const INTENT_ID = intentId(1);

export function intentId(number: number): string {
  return `deferred-turn:${number.toString(16).padStart(64, "0")}`;
}

export function sql(text: string): SqlExpression {
  return { sql: text };
}

export function validFacts(): Record<string, unknown> {
  return {
    schema: "pi-workflows.deferred-turn-facts.v1",
    workflowName: "release-notes",
    runId: "run-1",
    observedState: "failed",
    cause: "failed",
    nodeId: "draft",
    attemptId: "attempt-1",
    reason: "scope must be a non-empty string",
    handoff: false,
  };
}

export function factsText(changes: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({ ...validFacts(), ...changes });
}

/** A pending intent that keeps every rule, except where the test says otherwise. */
export function validIntent(changes: IntentValues = {}): IntentValues {
  return {
    intent_id: INTENT_ID,
    source_event_id: "cancelled:run-1:draft:attempt-1",
    run_id: "run-1",
    workflow_ref: "release-notes",
    target_session_id: "session-1",
    cause: "failed",
    node_id: "draft",
    attempt_id: "attempt-1",
    fallback_facts_json: factsText(),
    requested_at: "2026-08-21T08:17:31.000Z",
    ...changes,
  };
}

/** The columns of a resolution. */
export const RESOLVED: IntentValues = {
  resolved_at: "2026-08-21T08:18:00.000Z",
  resolution: "fallback",
  resolution_message_id: "message-1",
};

export function insertIntent(values: IntentValues, verb = "INSERT"): string {
  const columns = Object.keys(values).join(", ");
  return `${verb} INTO workflow_turn_intents (${columns}) VALUES (${Object.values(values).map(sqlOf).join(", ")});`;
}

export function updateIntent(values: IntentValues, verb = "UPDATE"): string {
  const changes = Object.entries(values).map(([column, value]) => `${column} = ${sqlOf(value)}`);
  return `${verb} workflow_turn_intents SET ${changes.join(", ")} WHERE intent_id = ${sqlOf(INTENT_ID)};`;
}

function sqlOf(value: ColumnValue): string {
  if (value === null) return "NULL";
  if (typeof value === "object") return value.sql;
  return typeof value === "number" ? String(value) : `'${value.replaceAll("'", "''")}'`;
}
