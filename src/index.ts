/**
 * Exactly one later agent turn for each workflow interruption. Pi extensions start at `bindDeferredTurns`; other hosts at
 * `openControllerStore`; readers of messages and rows at the contracts.
 *
 * @module
 */
export type {
  DeferredTurnFacts,
  DeferredTurnMessageDetails,
  NaturalMessageDetails,
  TurnIntentCause,
} from "../generated/contracts.ts";
export type { TurnIntentResolution, WorkflowRun, WorkflowTurnIntent } from "../generated/records.ts";
export { draftTurnIntent, type TurnIntentDraft, type TurnIntentSource } from "./contracts/draft.ts";
export { DeferredTurnsError, type DeferredTurnsErrorCode } from "./contracts/errors.ts";
export { isDeferredTurnFacts, parseDeferredTurnFacts } from "./contracts/facts.ts";
export {
  LAUNCH_NODE_ID,
  resolutionMessageId,
  type SourceEventIdentity,
  sourceEventId,
  type TurnIntentIdentity,
  turnIntentId,
} from "./contracts/identity.ts";
export {
  isDeferredTurnMessageDetails,
  parseDeferredTurnMessageDetails,
  turnIntentIdIn,
} from "./contracts/messageDetails.ts";
export {
  FALLBACK_MESSAGE_TYPE,
  NOTIFICATION_MESSAGE_TYPE,
  RESULT_MESSAGE_TYPE,
  STEP_MESSAGE_TYPE,
} from "./contracts/messageTypes.ts";
export { type FallbackMessage, fallbackMessage } from "./contracts/wording.ts";
export { bindDeferredTurns, type DeferredTurns, type DeferredTurnsOptions } from "./pi/bindDeferredTurns.ts";
export type { BoundSession, Ending, Interruption } from "./pi/boundSession.ts";
export { DEFAULT_SETTINGS, type DeferredTurnsSettings } from "./pi/settings.ts";
export type { ControllerStore } from "./store/controllerStore.ts";
export { openControllerStore } from "./store/openControllerStore.ts";
export { projectStorePath } from "./store/projectStorePath.ts";
export { DeferredTurnCoordinator } from "./turns/coordinator.ts";
export type { Diagnostic } from "./turns/diagnostics.ts";
export type { NaturalMessage } from "./turns/naturalQueue.ts";
export { type CreateDecision, decideTurnIntent, type TurnEvent, type TurnIntentDecision } from "./turns/policy.ts";
export type { OutgoingMessage, SendOptions, TurnSession } from "./turns/session.ts";
