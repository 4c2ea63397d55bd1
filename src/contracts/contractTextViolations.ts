import { deferredTurnFactsViolations } from "../../generated/validateDeferredTurnFacts.ts";
import { deferredTurnMessageDetailsViolations } from "../../generated/validateDeferredTurnMessageDetails.ts";
import { naturalMessageDetailsViolations } from "../../generated/validateNaturalMessageDetails.ts";
import { workflowDefinitionViolations } from "../../generated/validateWorkflowDefinition.ts";
import type { ContractViolation } from "../../generated/violations.ts";
import { type ContractName, parseContractText } from "./contractText.ts";
import { DeferredTurnsError } from "./errors.ts";

const VIOLATIONS: Readonly<Record<ContractName, (value: unknown) => readonly ContractViolation[]>> = {
  "deferred-turn-facts.v1": deferredTurnFactsViolations,
  "deferred-turn-message.v1": deferredTurnMessageDetailsViolations,
  "natural-message-details.v1": naturalMessageDetailsViolations,
  "workflow-definition.v1": workflowDefinitionViolations,
};

/** The names of all contracts. */
export const CONTRACT_NAMES = Object.keys(VIOLATIONS) as readonly ContractName[];

/** What is wrong with a text, and where in its value, as a JSON pointer. */
export type TextViolation = Pick<ContractViolation, "path" | "message">;

/**
 * Everything that a text breaks of a contract; nothing when `parseContractText` reads it. What makes a text no JSON of
 * one meaning, such as a field that is given twice, is told alone.
 */
export function contractTextViolations(contract: ContractName, text: string | Uint8Array): readonly TextViolation[] {
  try {
    parseContractText(contract, text);
    return [];
  } catch (error) {
    if (!(error instanceof DeferredTurnsError)) throw error;
    const all = VIOLATIONS[contract](jsonValue(text)).map(({ path, message }) => ({ path, message }));
    const [first] = all;
    const isOfTheSchema = first !== undefined && error.message.includes(first.message);
    return isOfTheSchema ? all : [{ path: error.path ?? "", message: error.message }];
  }
}

/** The value of a text, or undefined, which no contract allows. */
function jsonValue(text: string | Uint8Array): unknown {
  try {
    return JSON.parse(typeof text === "string" ? text : new TextDecoder().decode(text));
  } catch {
    return undefined;
  }
}
