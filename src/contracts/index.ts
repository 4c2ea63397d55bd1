/**
 * The contracts without Pi and without SQLite: reading, building and naming their values. It needs Node and no package;
 * `pi-deferred-turns/validators` does not even need Node.
 *
 * @module
 */
export type {
  AgentStep,
  AgentStepRecovery,
  CommandStep,
  DeferredTurnFacts,
  DeferredTurnMessageDetails,
  NaturalMessageDetails,
  NotifyStep,
  TurnIntentCause,
  WaitStep,
  WorkflowDefinition,
  WorkflowStep,
} from "../../generated/contracts.ts";
export type { TurnIntentResolution } from "../../generated/records.ts";
export { type ContractName, isContractName, parseContractText } from "./contractText.ts";
export { draftTurnIntent, type TurnIntentDraft, type TurnIntentSource } from "./draft.ts";
export { DeferredTurnsError, type DeferredTurnsErrorCode, type DeferredTurnsErrorOptions } from "./errors.ts";
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
export type { Environment } from "./secretEnvironment.ts";
export { type FallbackMessage, type FallbackSource, fallbackMessage } from "./wording.ts";
