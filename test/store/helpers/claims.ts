import type { ClaimEligibleTurnIntents } from "../../../src/store/intents/turnIntentClaims.ts";

/** A claim of the eligible intents of the session of all drafts. */
export const eligibleClaim = (changes: Partial<ClaimEligibleTurnIntents> = {}): ClaimEligibleTurnIntents => ({
  targetSessionId: "session-1",
  claimToken: "a",
  leaseMs: 1000,
  limit: 10,
  ...changes,
});
