import Database, { type Statement } from "better-sqlite3";
import { WORKFLOW_TURN_INTENT_COLUMNS, type WorkflowTurnIntentRow } from "../../../generated/records.ts";
import { openControllerStore } from "../../../src/store/openControllerStore.ts";

const COLUMNS = WORKFLOW_TURN_INTENT_COLUMNS.join(", ");
const PLACEHOLDERS = WORKFLOW_TURN_INTENT_COLUMNS.map((column) => `:${column}`).join(", ");

/** What somebody would write who needs no library: one prepared statement for each change, and nothing checked. */
export interface BareStatements {
  readonly insert: Statement<[object]>;
  readonly claim: Statement<[{ readonly token: string; readonly expiresAt: number; readonly intentId: string }]>;
  readonly resolve: Statement<[{ readonly at: string; readonly messageId: string; readonly intentId: string }]>;
  /** The eligible intents of a session by their index: what an idle pass has to ask at the least. */
  readonly eligible: Statement<[string], WorkflowTurnIntentRow>;
  /** The same, with a parameter that SQLite does not look at while it plans: it plans once, not at every call. */
  readonly eligiblePlannedOnce: Statement<[string], WorkflowTurnIntentRow>;
}

function eligibleSql(session: string): string {
  return `SELECT ${COLUMNS} FROM workflow_turn_intents
    WHERE target_session_id = ${session} AND resolved_at IS NULL AND eligible_at IS NOT NULL
    ORDER BY eligible_at, intent_id LIMIT 20`;
}

/** Prepares the bare statements on a database that has the table. */
export function bareStatements(database: Database.Database): BareStatements {
  return {
    insert: database.prepare(`INSERT INTO workflow_turn_intents (${COLUMNS}) VALUES (${PLACEHOLDERS})`),
    claim: database.prepare(
      "UPDATE workflow_turn_intents SET delivery_claim_token = :token, delivery_claim_expires_at = :expiresAt WHERE intent_id = :intentId",
    ),
    resolve: database.prepare(
      `UPDATE workflow_turn_intents SET resolved_at = :at, resolution = 'fallback', resolution_message_id = :messageId,
       delivery_claim_token = NULL, delivery_claim_expires_at = NULL WHERE intent_id = :intentId`,
    ),
    eligible: database.prepare(eligibleSql("?")),
    eligiblePlannedOnce: database.prepare(eligibleSql("+?")),
  };
}

/** Opens a store's file with nothing but better-sqlite3, with the settings of the store. */
export function openBare(path: string): Database.Database {
  const database = new Database(path);
  database.pragma("journal_mode = WAL");
  database.pragma("synchronous = FULL");
  database.pragma("foreign_keys = ON");
  return database;
}

/** A new store's file, opened bare: the same tables, indexes and guards. */
export function createBare(path: string): Database.Database {
  openControllerStore({ path }).close();
  return openBare(path);
}
