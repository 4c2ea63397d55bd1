import { workflowDefinitionViolations } from "../../generated/validateWorkflowDefinition.ts";
import { readContract } from "./contractValue.ts";
import { DeferredTurnsError } from "./errors.ts";
import { parseDeferredTurnFacts } from "./facts.ts";
import { parseDeferredTurnMessageDetails, parseNaturalMessageDetails } from "./messageDetails.ts";

/** Limit of a workflow definition as JSON text, in bytes of UTF-8. */
export const DEFINITION_MAX_BYTES = 262_144;

/** How the text of each contract is read. */
const READERS = {
  "deferred-turn-facts.v1": parseDeferredTurnFacts,
  "deferred-turn-message.v1": parseDeferredTurnMessageDetails,
  "natural-message-details.v1": parseNaturalMessageDetails,
  "workflow-definition.v1": (text: string) =>
    readContract(text, {
      name: "workflow definition",
      maxBytes: DEFINITION_MAX_BYTES,
      violations: workflowDefinitionViolations,
    }),
} as const;

/** The names of the contracts, as their schema files have them. */
export type ContractName = keyof typeof READERS;

/** Whether a text names a contract. */
export function isContractName(name: string): name is ContractName {
  return Object.hasOwn(READERS, name);
}

/**
 * Reads the JSON text of a contract by the contract's name, as text or as its bytes.
 *
 * A workflow definition is read by its contract alone: whether its templates, its references and the name of its file
 * are right, a runner finds out.
 *
 * @throws DeferredTurnsError `CONTRACT_VIOLATION` with the path of the first offence
 */
export function parseContractText(contract: ContractName, text: string | Uint8Array): object {
  return READERS[contract](typeof text === "string" ? text : decoded(text, contract));
}

/** A byte order mark is kept, and is no JSON: RFC 8259 forbids to write one. */
function decoded(bytes: Uint8Array, contract: ContractName): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    const message = `Invalid ${contract}: the bytes are no UTF-8.`;
    throw new DeferredTurnsError({ code: "CONTRACT_VIOLATION", message, path: "", cause });
  }
}
