import { readFileSync } from "node:fs";
import { decodeWorkflowTurnIntent } from "../../../generated/records.ts";
import { isNaturalMessageDetails, isWorkflowDefinition } from "../../../generated/validators.ts";
import { parseContractText } from "../../../src/contracts/contractText.ts";
import { draftTurnIntent } from "../../../src/contracts/draft.ts";
import { isDeferredTurnFacts, parseDeferredTurnFacts } from "../../../src/contracts/facts.ts";
import { resolutionMessageId, sourceEventId, turnIntentId } from "../../../src/contracts/identity.ts";
import {
  isDeferredTurnMessageDetails,
  parseDeferredTurnMessageDetails,
  parseNaturalMessageDetails,
  turnIntentIdIn,
} from "../../../src/contracts/messageDetails.ts";
import { parseWorkflowDefinition } from "../../../src/runtime/definitions/definitionFile.ts";

/** Everything of the product that the fuzzer judges. A test puts a defect in the place of one of them. */
export const PRODUCT = {
  parseFacts: (textOrValue: unknown): unknown => parseDeferredTurnFacts(textOrValue),
  isFacts: (value: unknown): boolean => isDeferredTurnFacts(value),
  parseFactsBytes: (bytes: Uint8Array): unknown => parseContractText("deferred-turn-facts.v1", bytes),
  parseMessageDetails: (textOrValue: unknown): unknown => parseDeferredTurnMessageDetails(textOrValue),
  isMessageDetails: (value: unknown): boolean => isDeferredTurnMessageDetails(value),
  parseNaturalDetails: (textOrValue: unknown): unknown => parseNaturalMessageDetails(textOrValue),
  isNaturalDetails: (value: unknown): boolean => isNaturalMessageDetails(value),
  turnIntentIdIn,
  parseDefinition: (text: string): unknown => parseWorkflowDefinition(text, "flow.json"),
  isDefinition: (value: unknown): boolean => isWorkflowDefinition(value),
  decodeRow: decodeWorkflowTurnIntent,
  draftTurnIntent,
  turnIntentId,
  sourceEventId,
  resolutionMessageId,
  /** The tables and guards of a store, as SQL. */
  ddl: readFileSync(new URL("../../../generated/ddl.sql", import.meta.url), "utf8"),
} as const;

export type Product = typeof PRODUCT;
