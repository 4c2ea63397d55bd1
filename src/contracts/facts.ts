import { type DeferredTurnFacts, FALLBACK_FACTS_MAX_BYTES } from "../../generated/contracts.ts";
import { deferredTurnFactsViolations } from "../../generated/validateDeferredTurnFacts.ts";
import { readContract } from "./contractValue.ts";

export { isDeferredTurnFacts } from "../../generated/validateDeferredTurnFacts.ts";

/**
 * Reads deferred turn facts from JSON text, such as the `fallback_facts_json` of a row, or from a value that is parsed
 * already (the specification, section Fallback facts).
 *
 * @throws DeferredTurnsError `CONTRACT_VIOLATION` with the path of the first offence
 */
export function parseDeferredTurnFacts(textOrValue: unknown): DeferredTurnFacts {
  return readContract(textOrValue, {
    name: "deferred turn facts",
    maxBytes: FALLBACK_FACTS_MAX_BYTES,
    violations: deferredTurnFactsViolations,
  }) as DeferredTurnFacts;
}
