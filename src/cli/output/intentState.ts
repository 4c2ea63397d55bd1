import type { WorkflowTurnIntent } from "../../../generated/records.ts";
import { isLiveClaim } from "../../store/intents/claimLease.ts";

/** Where an intent stands: resolved; else under a live claim; else open to a fallback; else waiting for a natural successor. */
export type IntentState = "pending" | "eligible" | "claimed" | "resolved";

export function stateOf(intent: WorkflowTurnIntent, now: number): IntentState {
  if (intent.resolvedAt !== null) return "resolved";
  if (hasLiveClaim(intent, now)) return "claimed";
  return intent.eligibleAt === null ? "pending" : "eligible";
}

export function hasLiveClaim({ deliveryClaimToken, deliveryClaimExpiresAt }: WorkflowTurnIntent, now: number): boolean {
  return isLiveClaim({ token: deliveryClaimToken, expiresAt: deliveryClaimExpiresAt }, now);
}
