import type { DeferredTurnMessageDetails } from "../../generated/contracts.ts";
import { deferredTurnMessageDetailsViolations, isNaturalMessageDetails } from "../../generated/validators.ts";
import { readContract } from "./contractValue.ts";

export { isDeferredTurnMessageDetails } from "../../generated/validators.ts";

/**
 * Reads the details of a fallback message from JSON text, or from a value that is parsed already
 * (the specification, section Fallback delivery).
 *
 * @throws DeferredTurnsError `CONTRACT_VIOLATION` with the path of the first offence
 */
export function parseDeferredTurnMessageDetails(textOrValue: unknown): DeferredTurnMessageDetails {
  return readContract(textOrValue, {
    name: "deferred turn message details",
    maxBytes: 65_536,
    violations: deferredTurnMessageDetailsViolations,
  }) as DeferredTurnMessageDetails;
}

/** The intent that a message with these details resolves, natural successor or fallback; undefined if it resolves none. */
export function turnIntentIdIn(details: unknown): string | undefined {
  return isNaturalMessageDetails(details) ? details.turnIntentId : undefined;
}

/** A message whose details also name the intent that it resolves (the specification, section Natural delivery). */
export function withTurnIntentId<Message extends { readonly details?: Readonly<Record<string, unknown>> }>(
  message: Message,
  turnIntentId: string,
): Message & { readonly details: Readonly<Record<string, unknown>> } {
  return { ...message, details: { ...message.details, turnIntentId } };
}
