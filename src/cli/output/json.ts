import type { WorkflowTurnIntent } from "../../../generated/records.ts";
import { hasLiveClaim, stateOf } from "./intentState.ts";

/** Characters that JSON need not escape and that a terminal may obey, or that change the direction of what follows. */
const UNSAFE_ON_A_TERMINAL = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** A value as JSON text that a terminal can show. */
export function jsonText(value: object): string {
  return escaped(JSON.stringify(value, null, 2));
}

/** A value as JSON text on one line. */
export function jsonLine(value: object): string {
  return escaped(JSON.stringify(value));
}

function escaped(json: string): string {
  return json.replace(
    UNSAFE_ON_A_TERMINAL,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** An intent as every command writes it. Who holds the claim is nobody's business; until when it holds is. */
export function intentJson(intent: WorkflowTurnIntent, now: number): object {
  const { deliveryClaimToken, deliveryClaimExpiresAt, fallbackFacts, ...rest } = intent;
  return {
    ...rest,
    state: stateOf(intent, now),
    facts: fallbackFacts,
    claim:
      deliveryClaimToken === null ? null : { expiresAt: deliveryClaimExpiresAt, isLive: hasLiveClaim(intent, now) },
  };
}
