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
export type {
  RunEvent,
  TurnIntentResolution,
  WorkflowRun,
  WorkflowRunStatus,
  WorkflowTurnIntent,
} from "../generated/records.ts";
export type { ContractViolation } from "../generated/violations.ts";
export { draftTurnIntent, type TurnIntentDraft, type TurnIntentSource } from "./contracts/draft.ts";
export { DeferredTurnsError, type DeferredTurnsErrorCode, type DeferredTurnsErrorOptions } from "./contracts/errors.ts";
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
export type { Environment } from "./contracts/secretEnvironment.ts";
export { type FallbackMessage, type FallbackSource, fallbackMessage } from "./contracts/wording.ts";
export { bindDeferredTurns, type DeferredTurns, type DeferredTurnsOptions } from "./pi/bindDeferredTurns.ts";
export type { BoundSession, Ending, Interruption } from "./pi/boundSession.ts";
export type { PiHost } from "./pi/piSession.ts";
export { DEFAULT_SETTINGS, type DeferredTurnsSettings } from "./pi/settings.ts";
export type { Every } from "./pi/timer.ts";
export type { ControllerStore } from "./store/controllerStore.ts";
export type { FileSystemTypeOf } from "./store/fileSystems.ts";
export type { DeliveredResolution, EnsuredTurnIntent, EnsureTurnIntent } from "./store/intents/ensureTurnIntent.ts";
export type { FindTurnIntentIds } from "./store/intents/findTurnIntents.ts";
export type { TurnIntentFollower } from "./store/intents/followTurnIntents.ts";
export type {
  ListTurnIntents,
  TurnIntentPage,
  TurnIntentState,
  UnreadableTurnIntent,
} from "./store/intents/listTurnIntents.ts";
export type {
  ClaimEligibleTurnIntents,
  ClaimedTurnIntent,
  ClaimTerms,
  ClaimTurnIntentForRun,
  ResolveOutcome,
  ResolveTurnIntent,
  RunIntentClaim,
} from "./store/intents/turnIntentClaims.ts";
export type { MakeTurnIntentEligible } from "./store/intents/turnIntentEligibility.ts";
export { type OpenControllerStoreOptions, openControllerStore } from "./store/openControllerStore.ts";
export { projectStorePath } from "./store/projectStorePath.ts";
export type { ListRunEvents, RunEventToRecord } from "./store/runs/runEvents.ts";
export type {
  ClaimWorkflowRun,
  EnqueuedWorkflowRun,
  EnqueueWorkflowRun,
  FencedChange,
  FinishWorkflowRun,
  ResumeOutcome,
  WorkflowRunClaim,
} from "./store/runs/runQueue.ts";
export type { ListWorkflowRuns } from "./store/runs/runRows.ts";
export type { StoreDiagnostic } from "./store/storeDiagnostics.ts";
export { type CoordinatorOptions, DeferredTurnCoordinator, type Outlook } from "./turns/coordinator.ts";
export type { NaturalMessageTypes } from "./turns/deliveredScan.ts";
export { type Diagnostic, DiagnosticLog, type DiagnosticReport } from "./turns/diagnostics.ts";
export type { AbortOutcome } from "./turns/interruption.ts";
export type { NaturalMessage } from "./turns/naturalQueue.ts";
export type { EnsureOptions, EnsureOutcome, StoreAccess } from "./turns/obligations.ts";
export {
  type ControllerContinuation,
  type CreateDecision,
  decideTurnIntent,
  type RunEnding,
  type TurnEvent,
  type TurnIntentDecision,
} from "./turns/policy.ts";
export { type Obligation, type ProcessMemory, processMemory, type SentMessage } from "./turns/processMemory.ts";
export type { OutgoingMessage, SendOptions, SessionEntryView, TurnSession } from "./turns/session.ts";
export type { SessionGate, SessionLife, SettlementCause } from "./turns/sessionGate.ts";
