import type { WorkflowRun as RunRecord } from "../../generated/records.ts";
import { draftTurnIntent, type TurnIntentDraft } from "../contracts/draft.ts";
import { LAUNCH_NODE_ID, sourceEventId } from "../contracts/identity.ts";
import type { CreateDecision } from "../turns/policy.ts";
import type { Attempt } from "./runProgress.ts";

/** What was seen of an interruption, beside its place. */
export interface Observation {
  readonly decision: CreateDecision;
  readonly targetSessionId: string;
  readonly observedState: string;
  readonly reason: string | null;
}

/**
 * The intent of an interruption of a run. An attempt is interrupted once, however it ends: its cancellation, timeout and
 * failure are one source event, so that terminal handling finds the abort's intent again.
 */
export function attemptDraft(run: RunRecord, attempt: Attempt, observation: Observation): TurnIntentDraft {
  return draft(run, observation, { kind: "attempt", nodeId: attempt.nodeId, attemptId: attempt.attemptId });
}

/** The intent of a run that never reached its first step. A run is launched once. */
export function launchDraft(run: RunRecord, observation: Observation): TurnIntentDraft {
  return draft(run, observation, { kind: "launch", nodeId: LAUNCH_NODE_ID, attemptId: null });
}

/** The intent of a claim that was lost. The loser and whoever takes over name it alike. */
export function claimLossDraft(
  run: RunRecord,
  attempt: Attempt,
  observation: Observation & { readonly lostClaimToken: string },
): TurnIntentDraft {
  const { nodeId, attemptId } = attempt;
  return draft(run, observation, { kind: "claimLost", nodeId, attemptId, discriminator: observation.lostClaimToken });
}

function draft(
  { runId, workflowRef }: RunRecord,
  { decision, targetSessionId, observedState, reason }: Observation,
  event: {
    readonly kind: string;
    readonly nodeId: string;
    readonly attemptId: string | null;
    readonly discriminator?: string;
  },
): TurnIntentDraft {
  return draftTurnIntent({
    targetSessionId,
    runId,
    workflowRef,
    sourceEventId: sourceEventId({ ...event, runId }),
    cause: decision.cause,
    nodeId: event.nodeId,
    attemptId: event.attemptId,
    observedState,
    reason,
    handoff: decision.handoff,
  });
}
