import type { DeferredTurnFacts } from "../../../generated/contracts.ts";
import {
  decodeWorkflowTurnIntent,
  encodeWorkflowTurnIntent,
  type TurnIntentResolution,
  WORKFLOW_TURN_INTENT_COLUMNS,
  type WorkflowTurnIntent,
  type WorkflowTurnIntentRow,
} from "../../../generated/records.ts";
import { DeferredTurnsError } from "../../contracts/errors.ts";
import { parseDeferredTurnFacts } from "../../contracts/facts.ts";
import { LAUNCH_NODE_ID } from "../../contracts/identity.ts";
import { formatTimestamp } from "../../contracts/timestamp.ts";
import type { NamedStatement, StoreConnection } from "../database/connection.ts";
import type { Stored } from "../database/textBytes.ts";
import { requireKeys } from "../storeArguments.ts";
import { RowReader, type StoreDiagnostic } from "../storeDiagnostics.ts";
import { claimableSql, liveClaimSql } from "./claimLease.ts";

/** The columns of an intent, for a SELECT or RETURNING. */
export const INTENT_COLUMNS = `rowid AS rowid, ${WORKFLOW_TURN_INTENT_COLUMNS.join(", ")}`;

/** A row of the table, as it was read. */
export type StoredTurnIntent = Stored<WorkflowTurnIntentRow>;

const LIVE = liveClaimSql("delivery_claim_token", "delivery_claim_expires_at");
const CLAIMABLE = claimableSql("delivery_claim_token", "delivery_claim_expires_at");

/** The unresolved intents of a run in a session. */
const PENDING = "run_id = +:run_id AND target_session_id = +:target_session_id AND resolved_at IS NULL";

/** The intents that stand for an interruption's attempt. */
const OF_ATTEMPT = `run_id = +:run_id AND (
  (node_id = '${LAUNCH_NODE_ID}' AND +:node_id = '${LAUNCH_NODE_ID}')
  OR (target_session_id = +:target_session_id AND (
    source_event_id = +:source_event_id OR (node_id IS +:node_id AND attempt_id = +:attempt_id))))`;

/** What makes two interruptions the same attempt's. */
export interface AttemptIdentity {
  readonly runId: string;
  readonly targetSessionId: string;
  readonly sourceEventId: string;
  readonly nodeId: string | null;
  readonly attemptId: string | null;
}

/** What an interruption or a terminal state changes on a pending intent. */
export interface IntentNews {
  readonly intentId: string;
  /** Makes the intent eligible, unless it is already. */
  readonly eligible: boolean;
  /** New facts, which are left out while a live claim holds the row: its claimant is sending the old ones. */
  readonly facts: DeferredTurnFacts | undefined;
  readonly now: number;
}

/** A claim on one intent. */
export interface IntentClaim {
  readonly intentId: string;
  readonly claimToken: string;
  readonly leaseMs: number;
  readonly now: number;
}

/** How an intent's message was found in its session. */
export interface SeenDelivery {
  readonly intentId: string;
  readonly resolution: TurnIntentResolution;
  readonly messageId: string;
  readonly now: number;
}

/** The statements on single intents: each is one decision, prepared once. */
export class TurnIntentRows {
  readonly reader: RowReader<WorkflowTurnIntentRow, WorkflowTurnIntent>;
  readonly #connection: StoreConnection;
  readonly #byId: NamedStatement<StoredTurnIntent>;
  readonly #pending: NamedStatement<StoredTurnIntent>;
  readonly #ofAttempt: NamedStatement<StoredTurnIntent>;
  readonly #insert: NamedStatement<unknown>;
  readonly #insertIfNew: NamedStatement<unknown>;
  readonly #tell: NamedStatement<StoredTurnIntent>;
  readonly #claim: NamedStatement<StoredTurnIntent>;
  readonly #resolveSeen: NamedStatement<StoredTurnIntent>;

  constructor(connection: StoreConnection, report: (diagnostic: StoreDiagnostic) => void) {
    this.#connection = connection;
    this.reader = new RowReader<WorkflowTurnIntentRow, WorkflowTurnIntent>({
      connection,
      table: "workflow_turn_intents",
      columns: WORKFLOW_TURN_INTENT_COLUMNS,
      decode: decodeWorkflowTurnIntent,
      identify: ({ intent_id }) => ({ intentId: String(intent_id) }),
      report,
    });
    this.#byId = connection.prepare(`SELECT ${INTENT_COLUMNS} FROM workflow_turn_intents WHERE intent_id = :intentId`);
    this.#pending = connection.prepare(
      `SELECT ${INTENT_COLUMNS} FROM workflow_turn_intents WHERE ${PENDING} ORDER BY rowid`,
    );
    this.#ofAttempt = connection.prepare(
      `SELECT ${INTENT_COLUMNS} FROM workflow_turn_intents WHERE ${OF_ATTEMPT} ORDER BY rowid LIMIT 1`,
    );
    const placeholders = WORKFLOW_TURN_INTENT_COLUMNS.map((column) => `:${column}`).join(", ");
    const insert = `INSERT INTO workflow_turn_intents (${WORKFLOW_TURN_INTENT_COLUMNS.join(", ")})`;
    this.#insert = connection.prepare(`${insert} VALUES (${placeholders})`);
    this.#insertIfNew = connection.prepare(
      `${insert} SELECT ${placeholders}
       WHERE NOT EXISTS (SELECT 1 FROM workflow_turn_intents WHERE intent_id = :intent_id)
         AND NOT EXISTS (SELECT 1 FROM workflow_turn_intents WHERE ${OF_ATTEMPT})
         AND NOT EXISTS (SELECT 1 FROM workflow_turn_intents WHERE ${PENDING})`,
    );
    this.#tell = connection.prepare(
      `UPDATE workflow_turn_intents
       SET eligible_at = coalesce(eligible_at, :eligibleAt),
           fallback_facts_json = CASE WHEN ${LIVE} THEN fallback_facts_json ELSE coalesce(:factsJson, fallback_facts_json) END
       WHERE intent_id = :intentId AND resolved_at IS NULL RETURNING ${INTENT_COLUMNS}`,
    );
    this.#claim = connection.prepare(
      `UPDATE workflow_turn_intents
       SET delivery_claim_token = :claimToken, delivery_claim_expires_at = :expiresAt
       WHERE intent_id = :intentId AND resolved_at IS NULL AND ${CLAIMABLE} RETURNING ${INTENT_COLUMNS}`,
    );
    this.#resolveSeen = connection.prepare(
      `UPDATE workflow_turn_intents
       SET resolved_at = :resolvedAt, resolution = :resolution, resolution_message_id = :messageId,
           delivery_claim_token = NULL, delivery_claim_expires_at = NULL
       WHERE intent_id = :intentId AND resolved_at IS NULL RETURNING ${INTENT_COLUMNS}`,
    );
  }

  get(intentId: string): WorkflowTurnIntent | undefined {
    requireKeys({ intentId });
    return this.#connection.read(() => this.byId(intentId));
  }

  /** The intent of an id. Throws CORRUPT_ROW when it cannot be read. */
  byId(intentId: string): WorkflowTurnIntent | undefined {
    return this.#required(this.#byId.get({ intentId }));
  }

  /** The row of an id as it is stored, readable or not. */
  stored(intentId: string): StoredTurnIntent | undefined {
    return this.#byId.get({ intentId });
  }

  /**
   * The intent that stands for the attempt of an interruption, resolved or not: of the same source event, or of the same
   * known attempt at the same node. Attempts that nobody could name are told apart by their source events. A run is
   * launched once, so it has one intent for its launch, whatever the session.
   */
  ofAttempt({
    runId,
    targetSessionId,
    sourceEventId,
    nodeId,
    attemptId,
  }: AttemptIdentity): WorkflowTurnIntent | undefined {
    const attempt = { run_id: runId, node_id: nodeId, attempt_id: attemptId };
    const event = { target_session_id: targetSessionId, source_event_id: sourceEventId };
    return this.#required(this.#ofAttempt.get({ ...attempt, ...event }));
  }

  /** The unresolved rows of a run and session, oldest first; more than one only where an older program left them. */
  pending({
    runId,
    targetSessionId,
  }: Pick<WorkflowTurnIntent, "runId" | "targetSessionId">): readonly StoredTurnIntent[] {
    return this.#pending.all({ run_id: runId, target_session_id: targetSessionId });
  }

  /** Inserts an intent unless one is stored that stands for its interruption or is to serve both. Returns whether it did. */
  insertIfNew(intent: WorkflowTurnIntent): boolean {
    return this.#insertIfNew.run({ ...encodeWorkflowTurnIntent(intent) }).changes > 0;
  }

  insert(intent: WorkflowTurnIntent): void {
    if (this.#insert.run({ ...encodeWorkflowTurnIntent(intent) }).changes === 0) throw unchanged();
  }

  /** Changes a pending intent. Returns its row, or undefined when there is no pending one. */
  tell({ intentId, eligible, facts, now }: IntentNews): StoredTurnIntent | undefined {
    const factsJson = facts === undefined ? null : JSON.stringify(parseDeferredTurnFacts(facts));
    return this.#tell.get({ intentId, now, eligibleAt: eligible ? formatTimestamp(now) : null, factsJson });
  }

  /** Claims a pending intent that, under the write lock, no other live claim holds. */
  claim({ intentId, claimToken, leaseMs, now }: IntentClaim): WorkflowTurnIntent {
    return this.changed(this.#claim.get({ intentId, claimToken, now, expiresAt: now + leaseMs }));
  }

  /** Resolves a pending intent whose message was seen in its session, whoever holds the claim. */
  resolveSeen(seen: SeenDelivery): WorkflowTurnIntent {
    const { intentId, resolution, messageId, now } = seen;
    return this.changed(this.#resolveSeen.get({ intentId, resolution, messageId, resolvedAt: formatTimestamp(now) }));
  }

  /** The record of a row that a statement changed; under the write lock, what was just found to fit is changed. */
  changed(row: StoredTurnIntent | undefined): WorkflowTurnIntent {
    if (row !== undefined) return this.reader.required(row);
    throw unchanged();
  }

  #required(row: StoredTurnIntent | undefined): WorkflowTurnIntent | undefined {
    return row && this.reader.required(row);
  }
}

function unchanged(): DeferredTurnsError {
  const message =
    "A turn intent could not be stored: a trigger that is not the store's own keeps the table as it is. Drop it.";
  return new DeferredTurnsError({ code: "STORE_FAILED", message });
}
