import type { WorkflowTurnIntent } from "../../../generated/records.ts";
import type { ControllerStore } from "../../../src/store/controllerStore.ts";
import type { DatabaseState } from "../world/databaseView.ts";
import type { StoreOperation } from "../world/watchedStore.ts";
import type { Broken } from "./broken.ts";

/** A call of the store that is over, with the database as it was just before. */
export interface StoreCall {
  readonly operation: StoreOperation;
  readonly argument: unknown;
  readonly result: unknown;
  readonly before: DatabaseState;
  /** The caller's clock. */
  readonly now: number;
}

type Resolution = Parameters<ControllerStore["resolveWorkflowTurnIntent"]>[0];
type RunClaim = Parameters<ControllerStore["claimWorkflowTurnIntentForRun"]>[0];
type SessionClaim = Parameters<ControllerStore["claimEligibleWorkflowTurnIntentsForSession"]>[0];

/** A claim that would outlive this is the mark of a clock that was set back. */
const LONGEST_LEASE_MS = 600_000;

/** The calls that are judged. */
const JUDGES: Partial<Record<StoreOperation, (call: StoreCall) => Broken | undefined>> = {
  resolveWorkflowTurnIntent: judgeResolution,
  claimWorkflowTurnIntentForRun: judgeRunClaim,
  claimEligibleWorkflowTurnIntentsForSession: judgeSessionClaim,
};

export const CLAIM_INVARIANTS: readonly string[] = ["resolvedUnderClaim", "claimedWhatWasFree", "claimedWhatWasAsked"];

export function isJudged(operation: StoreOperation): boolean {
  return JUDGES[operation] !== undefined;
}

/** The rule that a claim or a resolution breaks. */
export function judgeCall(call: StoreCall): Broken | undefined {
  return JUDGES[call.operation]?.(call);
}

function judgeResolution({ argument, result, before, now }: StoreCall): Broken | undefined {
  const { intentId, claimToken, resolution, messageId } = argument as Resolution;
  const intent = before.intents.get(intentId);
  if (result !== "resolved" || intent === undefined) return undefined;
  const isRepeated = intent.resolution === resolution && intent.resolutionMessageId === messageId;
  const isClaimed = intent.deliveryClaimToken === claimToken && isLive(intent, now);
  if (isRepeated || (intent.resolvedAt === null && isClaimed)) return undefined;
  return { invariant: "resolvedUnderClaim", sentence: `${intentId} was resolved without a live claim of the caller.` };
}

function judgeRunClaim({ argument, result, before, now }: StoreCall): Broken | undefined {
  const { runId, targetSessionId, claimToken } = argument as RunClaim;
  const claim = result as ReturnType<ControllerStore["claimWorkflowTurnIntentForRun"]>;
  if (claim.status !== "claimed") return undefined;
  const { intent } = claim;
  if (intent.runId !== runId || intent.targetSessionId !== targetSessionId) return notAsked(intent);
  return judgeFreedom(before.intents.get(intent.intentId), claimToken, now);
}

function judgeSessionClaim({ argument, result, before, now }: StoreCall): Broken | undefined {
  const { targetSessionId, claimToken, limit } = argument as SessionClaim;
  const intents = result as ReturnType<ControllerStore["claimEligibleWorkflowTurnIntentsForSession"]>;
  const foreign = intents.find(
    (intent) =>
      intent.targetSessionId !== targetSessionId ||
      intent.deliveryClaimToken !== claimToken ||
      intent.eligibleAt === null,
  );
  const [surplus] = intents.slice(limit);
  if (foreign !== undefined || surplus !== undefined) return notAsked(foreign ?? surplus);
  return intents
    .map(({ intentId }) => judgeFreedom(before.intents.get(intentId), claimToken, now))
    .find((broken) => broken !== undefined);
}

function notAsked(intent: WorkflowTurnIntent | undefined): Broken {
  return { invariant: "claimedWhatWasAsked", sentence: `${intent?.intentId} is not what the claim asked for.` };
}

function judgeFreedom(before: WorkflowTurnIntent | undefined, claimToken: string, now: number): Broken | undefined {
  if (before === undefined) return undefined;
  const isFree = before.deliveryClaimToken === claimToken || !isLive(before, now);
  if (before.resolvedAt === null && isFree) return undefined;
  return { invariant: "claimedWhatWasFree", sentence: `${before.intentId} was claimed while it was not free.` };
}

function isLive({ deliveryClaimToken, deliveryClaimExpiresAt }: WorkflowTurnIntent, now: number): boolean {
  if (deliveryClaimToken === null || deliveryClaimExpiresAt === null) return false;
  return now < deliveryClaimExpiresAt && deliveryClaimExpiresAt <= now + LONGEST_LEASE_MS;
}
