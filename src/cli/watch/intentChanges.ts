import type { WorkflowTurnIntent } from "../../../generated/records.ts";

/** What became of an intent between two looks. `pending`: it was there at the first look. */
export type IntentChangeKind =
  | "pending"
  | "created"
  | "eligible"
  | "claimed"
  | "renewed"
  | "released"
  | "toldAnew"
  | "resolved";

export interface IntentChange {
  readonly kind: IntentChangeKind;
  readonly intent: WorkflowTurnIntent;
}

/**
 * What happened to one intent, in the order in which it must have happened. Nothing is known of the order of changes of
 * several intents between two looks, nor of a claim that came and went.
 */
export function intentChanges(
  before: WorkflowTurnIntent | undefined,
  intent: WorkflowTurnIntent,
): readonly IntentChange[] {
  const kinds: readonly (IntentChangeKind | false)[] = [
    before === undefined && "created",
    (before?.eligibleAt ?? null) === null && intent.eligibleAt !== null && "eligible",
    before !== undefined && JSON.stringify(before.fallbackFacts) !== JSON.stringify(intent.fallbackFacts) && "toldAnew",
    claimChange(before, intent),
    (before?.resolvedAt ?? null) === null && intent.resolvedAt !== null && "resolved",
  ];
  return kinds.flatMap((kind) => (kind === false ? [] : [{ kind, intent }]));
}

function claimChange(before: WorkflowTurnIntent | undefined, intent: WorkflowTurnIntent): IntentChangeKind | false {
  const [token, lastToken] = [intent.deliveryClaimToken, before?.deliveryClaimToken ?? null];
  if (token === null) return lastToken !== null && intent.resolvedAt === null && "released";
  if (token !== lastToken) return "claimed";
  return before?.deliveryClaimExpiresAt !== intent.deliveryClaimExpiresAt && "renewed";
}
