import {
  TURN_INTENT_RESOLUTIONS,
  type TurnIntentResolution,
  type WorkflowTurnIntent,
  type WorkflowTurnIntentRow,
} from "../../../generated/records.ts";
import { formatTimestamp } from "../../contracts/timestamp.ts";
import type { NamedStatement, StoreConnection } from "../database/connection.ts";
import { requireKeys, requireLease, requireLimit, requireOneOf } from "../storeArguments.ts";
import { claimableSql, isLiveClaim, liveClaimSql } from "./claimLease.ts";
import { INTENT_COLUMNS, type StoredTurnIntent, type TurnIntentRows } from "./turnIntentRows.ts";

/** Who claims, and for how long. */
export interface ClaimTerms {
  /** Names the claimant: random for each delivery attempt, 1 to 512 characters. */
  readonly claimToken: string;
  /** How long the claim lives unrenewed, milliseconds, 1 to 600,000. */
  readonly leaseMs: number;
}

/** Whose pending intent to claim. */
export interface ClaimTurnIntentForRun extends ClaimTerms {
  /** The run whose message is about to be sent, 1 to 512 characters. */
  readonly runId: string;
  /** The session that delivers, 1 to 512 characters. */
  readonly targetSessionId: string;
}

/** What a claim for a run met: its intent; no pending intent; or a live claim of somebody else, which ends at `until`. */
export type RunIntentClaim =
  | { readonly status: "claimed"; readonly intent: WorkflowTurnIntent; readonly tookOver: boolean }
  | { readonly status: "none" }
  | { readonly status: "claimedByOther"; readonly until: number };

/** Whose eligible intents to claim, and how many. */
export interface ClaimEligibleTurnIntents extends ClaimTerms {
  /** The session that delivers, 1 to 512 characters. */
  readonly targetSessionId: string;
  /** The most intents to claim, 1 to 100. */
  readonly limit: number;
  /** Claims only this one, if it is eligible for the session. */
  readonly intentId?: string;
}

/** An intent under a claim made just now. */
export type ClaimedTurnIntent = WorkflowTurnIntent & {
  /** Whether the claim of another delivery attempt had lapsed on it: its message may stand in the session's file. */
  readonly tookOver: boolean;
};

/** Which intent is resolved, under whose claim, and by what. */
export interface ResolveTurnIntent {
  /** The intent, 1 to 512 characters. */
  readonly intentId: string;
  /** The token of the live claim, 1 to 512 characters. */
  readonly claimToken: string;
  /** By which message path. */
  readonly resolution: TurnIntentResolution;
  /** The stable id of the message (`resolutionMessageId`), 1 to 512 characters. */
  readonly messageId: string;
}

/**
 * What became of a resolution: recorded, now or by the same call before; not recorded because the claim had lapsed,
 * because another claim or none is stored, or because another message resolved the intent.
 */
export type ResolveOutcome = "resolved" | "lapsed" | "notClaimant" | "alreadyResolved";

type Candidate =
  | { readonly status: "claimable"; readonly intent: WorkflowTurnIntent }
  | Exclude<RunIntentClaim, { readonly status: "claimed" }>;

type ClaimState = Pick<WorkflowTurnIntentRow, "resolution" | "resolution_message_id" | "delivery_claim_token">;

const LIVE = liveClaimSql("delivery_claim_token", "delivery_claim_expires_at");
const CLAIMABLE = claimableSql("delivery_claim_token", "delivery_claim_expires_at");
const ELIGIBLE = `target_session_id = +:targetSessionId AND resolved_at IS NULL AND eligible_at IS NOT NULL AND ${CLAIMABLE}`;

/** The claims under which intents are delivered and resolved. */
export class TurnIntentClaims {
  readonly #connection: StoreConnection;
  readonly #rows: TurnIntentRows;
  readonly #eligible: NamedStatement<StoredTurnIntent>;
  readonly #eligibleById: NamedStatement<StoredTurnIntent>;
  readonly #renew: NamedStatement<unknown>;
  readonly #release: NamedStatement<unknown>;
  readonly #resolve: NamedStatement<unknown>;
  readonly #claimState: NamedStatement<ClaimState>;

  constructor(connection: StoreConnection, rows: TurnIntentRows) {
    this.#connection = connection;
    this.#rows = rows;
    this.#eligible = connection.prepare(
      `SELECT ${INTENT_COLUMNS} FROM workflow_turn_intents WHERE ${ELIGIBLE} ORDER BY eligible_at, intent_id`,
    );
    this.#eligibleById = connection.prepare(
      `SELECT ${INTENT_COLUMNS} FROM workflow_turn_intents WHERE intent_id = :intentId AND ${ELIGIBLE}`,
    );
    this.#renew = connection.prepare(
      `UPDATE workflow_turn_intents SET delivery_claim_expires_at = :expiresAt
       WHERE intent_id = :intentId AND resolved_at IS NULL AND delivery_claim_token = :claimToken RETURNING 1`,
    );
    this.#release = connection.prepare(
      `UPDATE workflow_turn_intents SET delivery_claim_token = NULL, delivery_claim_expires_at = NULL
       WHERE intent_id = :intentId AND resolved_at IS NULL AND delivery_claim_token = :claimToken RETURNING 1`,
    );
    this.#resolve = connection.prepare(
      `UPDATE workflow_turn_intents
       SET resolved_at = :resolvedAt, resolution = :resolution, resolution_message_id = :messageId,
           delivery_claim_token = NULL, delivery_claim_expires_at = NULL
       WHERE intent_id = :intentId AND resolved_at IS NULL AND delivery_claim_token = :claimToken AND ${LIVE} RETURNING 1`,
    );
    this.#claimState = connection.prepare(
      "SELECT resolution, resolution_message_id, delivery_claim_token FROM workflow_turn_intents WHERE intent_id = :intentId",
    );
  }

  claimForRun(claim: ClaimTurnIntentForRun): RunIntentClaim {
    const { runId, targetSessionId, claimToken, leaseMs } = claim;
    requireKeys({ runId, targetSessionId, claimToken });
    requireLease(leaseMs);
    // Most runs have no intent, and those that have one are seldom claimed twice.
    return this.#connection.decide<Candidate, RunIntentClaim>({
      look: (now) => this.#candidateForRun(claim, now),
      withoutLock: (seen) => (seen.status === "claimable" ? undefined : seen),
      underLock: (seen, now) => {
        if (seen.status !== "claimable") return seen;
        const { tookOver, ...intent } = this.#take(seen.intent, claim, now);
        return { status: "claimed", intent, tookOver };
      },
    });
  }

  claimEligible(claim: ClaimEligibleTurnIntents): readonly ClaimedTurnIntent[] {
    const { targetSessionId, claimToken, leaseMs, limit, intentId } = claim;
    requireKeys({ targetSessionId, claimToken, ...(intentId === undefined ? {} : { intentId }) });
    requireLease(leaseMs);
    requireLimit(limit);
    // An idle pass finds nothing.
    return this.#connection.decide<readonly WorkflowTurnIntent[], readonly ClaimedTurnIntent[]>({
      look: (now) => this.#eligibleIntents(claim, now),
      withoutLock: (seen) => (seen.length === 0 ? [] : undefined),
      underLock: (seen, now) => seen.map((intent) => this.#take(intent, claim, now)),
    });
  }

  renew({ intentId, claimToken, leaseMs }: ClaimTerms & { readonly intentId: string }): boolean {
    requireKeys({ intentId, claimToken });
    requireLease(leaseMs);
    return this.#connection.write(
      (now) => this.#renew.get({ intentId, claimToken, expiresAt: now + leaseMs }) !== undefined,
    );
  }

  release({ intentId, claimToken }: { readonly intentId: string; readonly claimToken: string }): boolean {
    requireKeys({ intentId, claimToken });
    return this.#connection.write(() => this.#release.get({ intentId, claimToken }) !== undefined);
  }

  resolve({ intentId, claimToken, resolution, messageId }: ResolveTurnIntent): ResolveOutcome {
    requireKeys({ intentId, claimToken, messageId });
    requireOneOf({ name: "resolution", value: resolution, allowed: TURN_INTENT_RESOLUTIONS });
    return this.#connection.write((now) => {
      const resolved = this.#resolve.get({
        intentId,
        claimToken,
        resolution,
        messageId,
        now,
        resolvedAt: formatTimestamp(now),
      });
      if (resolved !== undefined) return "resolved";
      const state = this.#claimState.get({ intentId });
      if (state === undefined) return "notClaimant";
      if (state.resolution === null) return state.delivery_claim_token === claimToken ? "lapsed" : "notClaimant";
      return state.resolution === resolution && state.resolution_message_id === messageId
        ? "resolved"
        : "alreadyResolved";
    });
  }

  #candidateForRun(claim: ClaimTurnIntentForRun, now: number): Candidate {
    const [intent] = this.#rows.reader.firstReadable(this.#rows.pending(claim), 1);
    if (intent === undefined) return { status: "none" };
    const { deliveryClaimToken: token, deliveryClaimExpiresAt: expiresAt } = intent;
    if (expiresAt === null || token === claim.claimToken || !isLiveClaim({ token, expiresAt }, now)) {
      return { status: "claimable", intent };
    }
    return { status: "claimedByOther", until: expiresAt };
  }

  #eligibleIntents(claim: ClaimEligibleTurnIntents, now: number): readonly WorkflowTurnIntent[] {
    const { targetSessionId, claimToken, intentId, limit } = claim;
    const statement = intentId === undefined ? this.#eligible : this.#eligibleById;
    return this.#rows.reader.firstReadable(statement.iterate({ targetSessionId, claimToken, intentId, now }), limit);
  }

  /** Claims what was seen to be claimable under the write lock, which keeps it so. */
  #take(seen: WorkflowTurnIntent, { claimToken, leaseMs }: ClaimTerms, now: number): ClaimedTurnIntent {
    const intent = this.#rows.claim({ intentId: seen.intentId, claimToken, leaseMs, now });
    const tookOver = seen.deliveryClaimToken !== null && seen.deliveryClaimToken !== claimToken;
    return { ...intent, tookOver };
  }
}
