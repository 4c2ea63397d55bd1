import { execFileSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import type { TurnIntentDraft } from "../../../src/contracts/draft.ts";

/** The sixteen columns as another program declares them: no guards, no index. */
export const BARE_TABLE = `CREATE TABLE workflow_turn_intents (
  intent_id TEXT PRIMARY KEY, source_event_id TEXT NOT NULL, run_id TEXT NOT NULL, workflow_ref TEXT NOT NULL,
  target_session_id TEXT NOT NULL, cause TEXT NOT NULL, node_id TEXT, attempt_id TEXT,
  fallback_facts_json TEXT NOT NULL, requested_at TEXT NOT NULL, eligible_at TEXT, resolved_at TEXT,
  resolution TEXT, resolution_message_id TEXT, delivery_claim_token TEXT, delivery_claim_expires_at INTEGER);`;

export const SCHEMA_INFO = `CREATE TABLE schema_info (singleton INTEGER PRIMARY KEY CHECK (singleton = 1), schema_id TEXT NOT NULL);
INSERT INTO schema_info VALUES (1, 'pi-workflows.controller-store.v1');`;

/** A table of an older program that is none of our business. */
export const FOREIGN_TABLE =
  "CREATE TABLE resources (id TEXT PRIMARY KEY, body TEXT); INSERT INTO resources VALUES ('a', 'b');";

export const NOTIFICATIONS = `CREATE TABLE workflow_notifications (
  notification_id TEXT PRIMARY KEY, run_id TEXT NOT NULL, node_id TEXT NOT NULL, attempt_id TEXT NOT NULL,
  notification_index INTEGER NOT NULL CHECK (notification_index > 0), target_session_id TEXT NOT NULL, kind TEXT NOT NULL,
  content TEXT NOT NULL, created_at TEXT NOT NULL, delivery_claim_token TEXT, delivery_claim_expires_at INTEGER,
  delivered_at TEXT, UNIQUE (run_id, node_id, notification_index));`;

/** Runs SQL with the sqlite3 command, on a private file. Throws what the command prints when it refuses. */
export function sqlite3(path: string, sql: string): string {
  closeSync(openSync(path, "a", 0o600));
  return execFileSync("sqlite3", ["-bail", path], { input: sql, encoding: "utf8", stdio: "pipe" }).trim();
}

/** What another column of a row should hold, as SQL. */
export type RowChanges = Readonly<Record<string, string>>;

/** The INSERT of an intent as another program writes it, with some values (SQL) of its own. */
export function insertIntent(intent: TurnIntentDraft, changes: RowChanges = {}): string {
  const values: RowChanges = {
    intent_id: text(intent.intentId),
    source_event_id: text(intent.sourceEventId),
    run_id: text(intent.runId),
    workflow_ref: text(intent.workflowRef),
    target_session_id: text(intent.targetSessionId),
    cause: text(intent.cause),
    node_id: text(intent.nodeId),
    attempt_id: text(intent.attemptId),
    fallback_facts_json: text(JSON.stringify(intent.fallbackFacts)),
    requested_at: text("2026-08-21T08:00:00.000Z"),
    ...changes,
  };
  return `INSERT INTO workflow_turn_intents (${Object.keys(values).join(", ")}) VALUES (${Object.values(values).join(", ")});`;
}

export function text(value: string | null): string {
  return value === null ? "NULL" : `'${value.replaceAll("'", "''")}'`;
}
