/**
 * The contracts without Pi and without SQLite: reading, building and naming their values. It needs Node and no package;
 * `pi-deferred-turns/validators` does not even need Node.
 *
 * @module
 */
export type {
  DeferredTurnFacts,
  DeferredTurnMessageDetails,
  NaturalMessageDetails,
  TurnIntentCause,
  WorkflowDefinition,
} from "../../generated/contracts.ts";
export type { TurnIntentResolution } from "../../generated/records.ts";
export { type ContractName, isContractName, parseContractText } from "./contractText.ts";
export { draftTurnIntent, type TurnIntentDraft, type TurnIntentSource } from "./draft.ts";
export { DeferredTurnsError, type DeferredTurnsErrorCode } from "./errors.ts";
export { isDeferredTurnFacts, parseDeferredTurnFacts } from "./facts.ts";
export {
  LAUNCH_NODE_ID,
  resolutionMessageId,
  type SourceEventIdentity,
  sourceEventId,
  type TurnIntentIdentity,
  turnIntentId,
} from "./identity.ts";
export {
  isDeferredTurnMessageDetails,
  isNaturalMessageDetails,
  parseDeferredTurnMessageDetails,
  parseNaturalMessageDetails,
  turnIntentIdIn,
} from "./messageDetails.ts";
export {
  FALLBACK_MESSAGE_TYPE,
  NOTIFICATION_MESSAGE_TYPE,
  RESULT_MESSAGE_TYPE,
  STEP_MESSAGE_TYPE,
} from "./messageTypes.ts";
export { type FallbackMessage, fallbackMessage } from "./wording.ts";
