import { type DeferredTurnFacts, FALLBACK_FACTS_MAX_BYTES } from "../../generated/contracts.ts";
import { deferredTurnFactsViolations } from "../../generated/validators.ts";
import { readContract } from "./contractValue.ts";

export { isDeferredTurnFacts } from "../../generated/validators.ts";

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

/** The order in which fields are written. Fields that the schema gains later follow, by name. */
const FIELD_ORDER: readonly string[] = [
  ...["schema", "workflowName", "runId", "observedState", "cause"],
  ...["nodeId", "attemptId", "reason", "handoff"],
];

/**
 * Writes deferred turn facts as the JSON text that a row holds: fields in the order of the schema, no white space, at most
 * 65,536 bytes of UTF-8.
 *
 * @throws DeferredTurnsError `CONTRACT_VIOLATION` with the path of the first offence
 */
export function serializeDeferredTurnFacts(facts: DeferredTurnFacts): string {
  const fields = Object.entries(parseDeferredTurnFacts(facts));
  return JSON.stringify(Object.fromEntries(fields.sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1))));
}

function rank(field: string): number {
  const index = FIELD_ORDER.indexOf(field);
  return index === -1 ? FIELD_ORDER.length : index;
}
