import type { DeferredTurnFacts } from "../../../generated/contracts.ts";
import {
  decodeWorkflowTurnIntent,
  encodeWorkflowTurnIntent,
  TURN_INTENT_RESOLUTIONS,
  type TurnIntentResolution,
  type WorkflowTurnIntent,
  type WorkflowTurnIntentInput,
} from "../../../generated/records.ts";
import type { TurnIntentDraft } from "../../contracts/draft.ts";
import { DeferredTurnsError } from "../../contracts/errors.ts";
import { turnIntentId } from "../../contracts/identity.ts";
import { formatTimestamp } from "../../contracts/timestamp.ts";
import { checkedRecord } from "../checkedRecord.ts";
import type { StoreConnection } from "../database/connection.ts";
import { requireKeys, requireOneOf } from "../storeArguments.ts";
import type { TurnIntentRows } from "./turnIntentRows.ts";

/** How a message that stands among the session's entries resolved an intent. */
export interface DeliveredResolution {
  /** By which message path the session got the message. */
  readonly resolution: TurnIntentResolution;
  /** The stable id of that message (`resolutionMessageId`), 1 to 512 characters. */
  readonly messageId: string;
}

/** The intent to store. */
export interface EnsureTurnIntent extends TurnIntentDraft {
  /** Whether a fallback may be sent from now on; never unset by a later call. Default false. */
  readonly eligible?: boolean;
  /**
   * Says how the message of an intent was delivered, if it stands among the session's entries. Asked inside the
   * transaction with the pending intent of the same run and session, before the new one is absorbed into it.
   */
  readonly findDelivered?: (intentId: string) => DeliveredResolution | undefined;
}

/**
 * The row that now stands for the interruption, and how it came to: it was inserted; it was there for the same source
 * event or attempt; or an older unresolved intent of the run and session already promises the turn.
 */
export interface EnsuredTurnIntent {
  /** The intent as it is stored. */
  readonly intent: WorkflowTurnIntent;
  /** Whether it is new, was there already, or is the run's unresolved one that absorbs the interruption. */
  readonly outcome: "created" | "existing" | "absorbed";
}

/** The columns that never change, with the names that their records have. */
const IMMUTABLE = ["sourceEventId", "runId", "workflowRef", "targetSessionId", "cause", "nodeId", "attemptId"] as const;

/** One call of `ensure`, with the clock as it was when the lock was taken. */
interface Request {
  readonly draft: WorkflowTurnIntent;
  readonly findDelivered: EnsureTurnIntent["findDelivered"];
  readonly now: number;
}

/** Stores the obligation of an interruption exactly once. */
export class TurnIntentEnsurer {
  readonly #connection: StoreConnection;
  readonly #rows: TurnIntentRows;

  constructor(connection: StoreConnection, rows: TurnIntentRows) {
    this.#connection = connection;
    this.#rows = rows;
  }

  ensure(wanted: EnsureTurnIntent): EnsuredTurnIntent {
    checkIdentity(wanted);
    return this.#connection.write((now) => {
      const draft = newIntent(wanted, now);
      if (this.#rows.insertIfNew(draft)) return { intent: draft, outcome: "created" };
      const request = { draft, findDelivered: wanted.findDelivered, now };
      return this.#known(request) ?? this.#sameAttempt(request) ?? this.#unresolved(request) ?? this.#create(request);
    });
  }

  /** The same source event was ensured before. */
  #known(request: Request): EnsuredTurnIntent | undefined {
    const { draft } = request;
    const stored = this.#rows.byId(draft.intentId);
    if (stored === undefined) return undefined;
    checkImmutable(stored, draft);
    const isNews = draft.eligibleAt !== null && stored.resolvedAt === null;
    const intent = isNews ? this.#told(stored, request, draft.fallbackFacts) : stored;
    return { intent, outcome: "existing" };
  }

  /** The same attempt was interrupted before, under another name. It owes no second turn. */
  #sameAttempt(request: Request): EnsuredTurnIntent | undefined {
    const stored = this.#rows.ofAttempt(request.draft);
    if (stored === undefined) return undefined;
    const intent = this.#resolvedIfDelivered(stored, request);
    return intent.resolvedAt === null ? this.#absorb(intent, request) : { intent, outcome: "existing" };
  }

  /** Another attempt of the run waits for its turn in the same session. That turn serves both, unless it came already. */
  #unresolved(request: Request): EnsuredTurnIntent | undefined {
    const { reader } = this.#rows;
    const rows = this.#rows.pending(request.draft);
    for (const stored of rows.map((row) => reader.readable(row))) {
      const intent = stored && this.#resolvedIfDelivered(stored, request);
      if (intent?.resolvedAt === null) return this.#absorb(intent, request);
    }
    // A row that cannot be read still holds the place of the run's one unresolved intent.
    for (const row of rows) reader.required(row);
    return undefined;
  }

  #create({ draft }: Request): EnsuredTurnIntent {
    this.#rows.insert(draft);
    return { intent: draft, outcome: "created" };
  }

  /** The stored row keeps its cause and place; its observations are those of the last interruption. */
  #absorb(stored: WorkflowTurnIntent, request: Request): EnsuredTurnIntent {
    const { observedState, reason, handoff } = request.draft.fallbackFacts;
    const facts = { ...stored.fallbackFacts, observedState, reason, handoff };
    return { intent: this.#told(stored, request, facts), outcome: "absorbed" };
  }

  #told(stored: WorkflowTurnIntent, { draft, now }: Request, facts: DeferredTurnFacts): WorkflowTurnIntent {
    return this.#rows.changed(
      this.#rows.tell({ intentId: stored.intentId, eligible: draft.eligibleAt !== null, facts, now }),
    );
  }

  #resolvedIfDelivered(stored: WorkflowTurnIntent, { findDelivered, now }: Request): WorkflowTurnIntent {
    const delivered = stored.resolvedAt === null ? findDelivered?.(stored.intentId) : undefined;
    if (delivered === undefined) return stored;
    requireOneOf({ name: "resolution", value: delivered.resolution, allowed: TURN_INTENT_RESOLUTIONS });
    requireKeys({ messageId: delivered.messageId });
    return this.#rows.resolveSeen({ ...delivered, intentId: stored.intentId, now });
  }
}

/** The record that would be inserted. Throws CONTRACT_VIOLATION when the draft breaks the contract. */
function newIntent(wanted: EnsureTurnIntent, now: number): WorkflowTurnIntent {
  const { intentId, sourceEventId, runId, workflowRef, targetSessionId, cause, nodeId, attemptId, fallbackFacts } =
    wanted;
  const requestedAt = formatTimestamp(now);
  const intent: WorkflowTurnIntentInput = {
    intentId,
    sourceEventId,
    runId,
    workflowRef,
    targetSessionId,
    cause,
    nodeId,
    attemptId,
    fallbackFacts,
    requestedAt,
    eligibleAt: wanted.eligible === true ? requestedAt : null,
  };
  return checkedRecord("turn intent", decodeWorkflowTurnIntent(encodeWorkflowTurnIntent(intent)));
}

function checkIdentity(wanted: EnsureTurnIntent): void {
  const expected = turnIntentId(wanted);
  if (wanted.intentId === expected) return;
  throw new DeferredTurnsError({
    code: "IDENTITY_CONFLICT",
    message: `The intent id ${wanted.intentId} is not the digest of its parts (${expected}); build drafts with draftTurnIntent.`,
    path: "/intentId",
  });
}

function checkImmutable(stored: WorkflowTurnIntent, draft: WorkflowTurnIntent): void {
  const differing = IMMUTABLE.find((name) => stored[name] !== draft[name]);
  if (differing === undefined) return;
  throw new DeferredTurnsError({
    code: "IDENTITY_CONFLICT",
    message:
      `The intent ${draft.intentId} is stored with ${differing} ${JSON.stringify(stored[differing])}, not ${JSON.stringify(draft[differing])}; ` +
      "one id never stands for two source events.",
    path: `/${differing}`,
  });
}
