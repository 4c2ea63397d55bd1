import type { DeferredTurnMessageDetails, NaturalMessageDetails } from "../../generated/contracts.ts";
import { deferredTurnMessageDetailsViolations } from "../../generated/validateDeferredTurnMessageDetails.ts";
import {
  isNaturalMessageDetails,
  naturalMessageDetailsViolations,
} from "../../generated/validateNaturalMessageDetails.ts";
import { readContract } from "./contractValue.ts";

export { isDeferredTurnMessageDetails } from "../../generated/validateDeferredTurnMessageDetails.ts";
export { isNaturalMessageDetails } from "../../generated/validateNaturalMessageDetails.ts";

/** Limit of the details of a message as JSON text, in bytes of UTF-8. No schema needs as much. */
const DETAILS_MAX_BYTES = 65_536;

/**
 * Reads the details of a fallback message from JSON text, or from a value that is parsed already
 * (the specification, section Fallback delivery).
 *
 * @throws DeferredTurnsError `CONTRACT_VIOLATION` with the path of the first offence
 */
export function parseDeferredTurnMessageDetails(textOrValue: unknown): DeferredTurnMessageDetails {
  return readContract(textOrValue, {
    name: "deferred turn message details",
    maxBytes: DETAILS_MAX_BYTES,
    violations: deferredTurnMessageDetailsViolations,
  }) as DeferredTurnMessageDetails;
}

/**
 * Reads the details of a workflow prompt or a result presentation that resolves an intent, from JSON text or from a value
 * that is parsed already (the specification, section Natural delivery). Fields of the message's own are kept.
 *
 * @throws DeferredTurnsError `CONTRACT_VIOLATION` with the path of the first offence
 */
export function parseNaturalMessageDetails(textOrValue: unknown): NaturalMessageDetails {
  return readContract(textOrValue, {
    name: "natural message details",
    maxBytes: DETAILS_MAX_BYTES,
    violations: naturalMessageDetailsViolations,
  }) as NaturalMessageDetails;
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
