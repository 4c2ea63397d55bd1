import {
  decodeWorkflowRun,
  encodeWorkflowRun,
  WORKFLOW_RUN_STATUSES,
  type WorkflowRun,
  type WorkflowRunInput,
} from "../../../generated/records.ts";
import { formatTimestamp } from "../../contracts/timestamp.ts";
import { checkedRecord } from "../checkedRecord.ts";
import type { NamedStatement, StoreConnection } from "../database/connection.ts";
import { claimableSql, isLiveClaim } from "../intents/claimLease.ts";
import type { ClaimTerms } from "../intents/turnIntentClaims.ts";
import { invalid, requireKeys, requireLease, requireLimit, requireOneOf } from "../storeArguments.ts";
import type { RunEvents } from "./runEvents.ts";
import { ACTIVE_SQL, type ListWorkflowRuns, RUN_COLUMNS, type RunRows, type StoredRun } from "./runRows.ts";

/** A run to be queued. The JSON columns are texts, which the store does not look into. */
export type EnqueueWorkflowRun = Pick<
  WorkflowRun,
  | "runId"
  | "workflowRef"
  | "workflowPath"
  | "workflowSourceJson"
  | "definitionDigest"
  | "inputJson"
  | "launchOptionsJson"
> &
  Partial<Pick<WorkflowRun, "originSessionId" | "parentRunId" | "affinityRunnerId">>;

/**
 * What became of a launch: queued; known already; or not queued, because another run is active in the session, or
 * because the parent has its child. `run` is the one that is there now.
 */
export interface EnqueuedWorkflowRun {
  /** Whether the run is new, or was there already under its id. */
  readonly status: "queued" | "existing" | "sessionBusy" | "parentBusy";
  /** The run as it is stored. */
  readonly run: WorkflowRun;
}

/** Which run to claim, and who claims it. */
export interface ClaimWorkflowRun extends ClaimTerms {
  /** The run, 1 to 512 characters. */
  readonly runId: string;
  /** The process that will work on it, 1 to 512 characters. */
  readonly runnerId: string;
}

/** What a claim on a run met: the run; nothing that can be claimed; or a live claim of somebody else until `until`. */
export type WorkflowRunClaim =
  | {
      readonly status: "claimed";
      readonly run: WorkflowRun;
      /** Whether another runner had it and let its claim lapse: a turn of the run may have been interrupted. */
      readonly tookOver: boolean;
      /** The claim that was lost; null when none was. */
      readonly lostClaimToken: string | null;
    }
  | { readonly status: "none" }
  | { readonly status: "claimedByOther"; readonly until: number };

/** A change that, with a token, only the holder of that claim can make. */
export interface FencedChange {
  /** The run, 1 to 512 characters. */
  readonly runId: string;
  /** The token of the claim that the writer holds; another one throws `RUN_CLAIM_LOST`. */
  readonly claimToken?: string;
}

/** How a claimed run ends. */
export interface FinishWorkflowRun extends FencedChange {
  /** The terminal status. */
  readonly status: "done" | "failed" | "cancelled";
  /** A short code for what failed; null or left out where nothing did. */
  readonly errorCode?: string | null;
  /** A sentence on what failed; null or left out where nothing did. */
  readonly errorMessage?: string | null;
}

/** What became of a resumption; a run that is not parked, or unknown, is left as it is. */
export type ResumeOutcome = "resumed" | "notParked" | "sessionBusy";

const CLAIMABLE = claimableSql("claim_token", "claim_expires_at");
const FENCE = "run_id = :runId AND (:claimToken IS NULL OR claim_token = :claimToken)";
const UNCLAIM = "claim_token = NULL, claim_expires_at = NULL";

/** The statements that move a run from one status to the next: each is one decision, prepared once. */
export class RunQueue {
  readonly #connection: StoreConnection;
  readonly #rows: RunRows;
  readonly #events: RunEvents;
  readonly #claim: NamedStatement<StoredRun>;
  readonly #renew: NamedStatement<unknown>;
  readonly #markRunning: NamedStatement<unknown>;
  readonly #park: NamedStatement<unknown>;
  readonly #finish: NamedStatement<unknown>;
  readonly #hold: NamedStatement<{ readonly workflow_ref: string }>;
  readonly #requeue: NamedStatement<unknown>;
  readonly #isHeld: NamedStatement<unknown>;

  constructor(connection: StoreConnection, rows: RunRows, events: RunEvents) {
    this.#connection = connection;
    this.#rows = rows;
    this.#events = events;
    const update = "UPDATE workflow_run_queue SET updated_at = :at";
    this.#claim = connection.prepare(
      `${update}, runner_id = :runnerId, claim_token = :claimToken, claim_expires_at = :expiresAt,
       status = CASE WHEN status <> 'queued' AND claim_token = :claimToken THEN status ELSE 'starting' END
       WHERE run_id = :runId AND (status = 'queued' OR (status IN ('starting', 'running') AND ${CLAIMABLE})) RETURNING ${RUN_COLUMNS}`,
    );
    const owned = "run_id = :runId AND claim_token = :claimToken AND status IN ('starting', 'running') RETURNING 1";
    this.#renew = connection.prepare(`${update}, claim_expires_at = :expiresAt WHERE ${owned}`);
    this.#markRunning = connection.prepare(
      `${update}, status = 'running', started_at = coalesce(started_at, :at) WHERE ${owned}`,
    );
    this.#park = connection.prepare(
      `${update}, status = 'parked', runner_id = NULL, ${UNCLAIM} WHERE ${FENCE} AND ${ACTIVE_SQL} RETURNING 1`,
    );
    this.#finish = connection.prepare(
      `${update}, status = :status, error_code = :errorCode, error_message = :errorMessage, finished_at = :at, ${UNCLAIM}
       WHERE ${FENCE} AND (${ACTIVE_SQL} OR status = 'parked') RETURNING 1`,
    );
    this.#hold = connection.prepare(
      `${update}, status = 'parked', runner_id = NULL, ${UNCLAIM}
       WHERE ${FENCE} AND (${ACTIVE_SQL} OR status = 'parked') RETURNING workflow_ref`,
    );
    this.#requeue = connection.prepare(
      `${update}, status = 'queued', runner_id = NULL, ${UNCLAIM} WHERE run_id = :runId AND status = 'parked' RETURNING 1`,
    );
    this.#isHeld = connection.prepare(
      `SELECT 1 FROM workflow_run_queue WHERE run_id = +:runId AND status = 'parked' AND 'runHeld' = (
         SELECT type FROM run_events WHERE run_id = +:runId AND type IN ('runHeld', 'runResumed') ORDER BY seq DESC LIMIT 1)`,
    );
  }

  enqueue(launch: EnqueueWorkflowRun): EnqueuedWorkflowRun {
    const { runId, originSessionId = null, parentRunId = null, affinityRunnerId = null } = launch;
    requireKeys({ runId });
    return this.#connection.write((now) => {
      const run = queuedRun({ ...launch, originSessionId, parentRunId, affinityRunnerId }, formatTimestamp(now));
      const known = this.#rows.byId(runId);
      if (known !== undefined) return { status: "existing", run: known };
      const active = originSessionId === null ? undefined : this.#rows.activeInSession({ originSessionId, runId });
      if (active !== undefined) return { status: "sessionBusy", run: active };
      const sibling = parentRunId === null ? undefined : this.#rows.childOf(parentRunId);
      if (sibling !== undefined) return { status: "parentBusy", run: sibling };
      this.#rows.insert(run);
      return { status: "queued", run };
    });
  }

  get(runId: string): WorkflowRun | undefined {
    requireKeys({ runId });
    return this.#connection.read(() => this.#rows.byId(runId));
  }

  active(originSessionId: string): WorkflowRun | undefined {
    requireKeys({ originSessionId });
    return this.#connection.read(() => this.#rows.active(originSessionId));
  }

  list(listing: ListWorkflowRuns): readonly WorkflowRun[] {
    const { originSessionId, statuses, limit } = listing;
    if (originSessionId !== undefined) requireKeys({ originSessionId });
    if (statuses?.length === 0) throw invalid("statuses", "name at least one status, or leave them out");
    for (const value of statuses ?? []) requireOneOf({ name: "statuses", value, allowed: WORKFLOW_RUN_STATUSES });
    requireLimit(limit);
    return this.#connection.read(() => this.#rows.list(listing));
  }

  claim({ runId, runnerId, claimToken, leaseMs }: ClaimWorkflowRun): WorkflowRunClaim {
    requireKeys({ runId, runnerId, claimToken });
    requireLease(leaseMs);
    return this.#connection.write((now) => {
      const before = this.#rows.byId(runId);
      const at = formatTimestamp(now);
      const run = this.#rows.read(this.#claim.get({ runId, runnerId, claimToken, now, at, expiresAt: now + leaseMs }));
      if (before === undefined || run === undefined) return refusal(before, now);
      const tookOver = before.status !== "queued" && before.claimToken !== claimToken;
      if (!tookOver) return { status: "claimed", run, tookOver, lostClaimToken: null };
      const { workflowRef } = run;
      this.#events.record({
        runId,
        workflowRef,
        runnerId,
        type: "runTakenOver",
        payload: { lostRunnerId: before.runnerId },
      });
      return { status: "claimed", run, tookOver, lostClaimToken: before.claimToken };
    });
  }

  renew({ runId, claimToken, leaseMs }: ClaimTerms & { readonly runId: string }): boolean {
    requireKeys({ runId, claimToken });
    requireLease(leaseMs);
    return this.#applied(this.#renew, (now) => ({ runId, claimToken, expiresAt: now + leaseMs }));
  }

  markRunning({ runId, claimToken }: Required<FencedChange>): boolean {
    requireKeys({ runId, claimToken });
    return this.#applied(this.#markRunning, () => ({ runId, claimToken }));
  }

  park(change: FencedChange): boolean {
    const fence = fenceOf(change);
    return this.#applied(this.#park, () => fence);
  }

  finish({ status, errorCode = null, errorMessage = null, ...change }: FinishWorkflowRun): boolean {
    const fence = fenceOf(change);
    requireOneOf({ name: "status", value: status, allowed: ["done", "failed", "cancelled"] });
    if (errorCode?.includes("\0") || errorMessage?.includes("\0")) {
      throw invalid("errorMessage", "leave U+0000 out of codes and messages");
    }
    return this.#applied(this.#finish, () => ({ ...fence, status, errorCode, errorMessage }));
  }

  hold(change: FencedChange): boolean {
    const fence = fenceOf(change);
    return this.#connection.write((now) => {
      if (this.#isHeld.get({ runId: fence.runId }) !== undefined) return true;
      const held = this.#hold.get({ ...fence, at: formatTimestamp(now) });
      if (held === undefined) return false;
      this.#events.record({ runId: fence.runId, workflowRef: held.workflow_ref, type: "runHeld", payload: {} });
      return true;
    });
  }

  isHeld(runId: string): boolean {
    requireKeys({ runId });
    return this.#connection.read(() => this.#isHeld.get({ runId }) !== undefined);
  }

  resume({ runId }: { readonly runId: string }): ResumeOutcome {
    requireKeys({ runId });
    return this.#connection.write((now) => {
      const run = this.#rows.byId(runId);
      if (run?.status !== "parked") return "notParked";
      const { originSessionId, workflowRef } = run;
      if (originSessionId !== null && this.#rows.activeInSession({ originSessionId, runId }) !== undefined)
        return "sessionBusy";
      this.#requeue.get({ runId, at: formatTimestamp(now) });
      this.#events.record({ runId, workflowRef, type: "runResumed", payload: {} });
      return "resumed";
    });
  }

  #applied(
    statement: NamedStatement<unknown>,
    parameters: (now: number) => Readonly<Record<string, unknown>>,
  ): boolean {
    return this.#connection.write(
      (now) => statement.get({ ...parameters(now), at: formatTimestamp(now) }) !== undefined,
    );
  }
}

function refusal(run: WorkflowRun | undefined, now: number): WorkflowRunClaim {
  const { claimToken: token = null, claimExpiresAt: expiresAt = null } = run ?? {};
  const isClaimed = (run?.status === "starting" || run?.status === "running") && isLiveClaim({ token, expiresAt }, now);
  return isClaimed && expiresAt !== null ? { status: "claimedByOther", until: expiresAt } : { status: "none" };
}

function fenceOf({ runId, claimToken }: FencedChange): { readonly runId: string; readonly claimToken: string | null } {
  requireKeys({ runId, ...(claimToken === undefined ? {} : { claimToken }) });
  return { runId, claimToken: claimToken ?? null };
}

/** The row of a launch. Throws CONTRACT_VIOLATION when it breaks its contract. */
function queuedRun(launch: Required<EnqueueWorkflowRun>, at: string): WorkflowRun {
  const { runId, workflowRef, workflowPath, workflowSourceJson, definitionDigest, inputJson, launchOptionsJson } =
    launch;
  const { originSessionId, parentRunId, affinityRunnerId } = launch;
  const run: WorkflowRunInput = {
    runId,
    workflowRef,
    workflowPath,
    workflowSourceJson,
    definitionDigest,
    inputJson,
    launchOptionsJson,
    status: "queued",
    affinityRunnerId,
    originSessionId,
    parentRunId,
    createdAt: at,
    updatedAt: at,
  };
  return checkedRecord("workflow run", decodeWorkflowRun(encodeWorkflowRun(run)));
}
