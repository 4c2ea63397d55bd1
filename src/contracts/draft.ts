import {
  DEFERRED_TURN_FACTS_SCHEMA,
  type DeferredTurnFacts,
  KEY_MAX_LENGTH,
  REASON_MAX_LENGTH,
  type TurnIntentCause,
} from "../../generated/contracts.ts";
import { DeferredTurnsError } from "./errors.ts";
import { parseDeferredTurnFacts } from "./facts.ts";
import { LAUNCH_NODE_ID, turnIntentId } from "./identity.ts";
import { assertKey } from "./keys.ts";
import { safeLine, safeText } from "./safeText.ts";
import { type Environment, environmentSecrets } from "./secretEnvironment.ts";

/** What stands in the facts for a name or a state of which cleaning left nothing. */
export const UNNAMED = "unknown";

/** An interruption as its host saw it. Ids are keys of 1 to 512 characters; the texts may be anything. */
export interface TurnIntentSource {
  /** The session that gets the turn, 1 to 512 characters. */
  readonly targetSessionId: string;
  /** The run that was interrupted, 1 to 512 characters. */
  readonly runId: string;
  /** The workflow that it runs, 1 to 512 characters. */
  readonly workflowRef: string;
  /** The name of the workflow as a person knows it; without it, `workflowRef`. */
  readonly workflowName?: string | undefined;
  /** What `sourceEventId` made of the event; an abort and the terminal handling after it pass the same one. */
  readonly sourceEventId: string;
  /** What made the turn necessary, from `decideTurnIntent`. */
  readonly cause: TurnIntentCause;
  /** Null or left out where it is not known. A failed launch has the node `$launch`, whether it is said or not. */
  readonly nodeId?: string | null | undefined;
  /** Null or left out where it is not known; otherwise 1 to 512 characters. */
  readonly attemptId?: string | null | undefined;
  /** The state of the run when it was last looked at. */
  readonly observedState: string;
  /** Diagnostic text of any length and content, such as the message of an error. */
  readonly reason?: string | null | undefined;
  /** Whether another runner can continue the run; false when left out. */
  readonly handoff?: boolean | undefined;
}

/** What a turn intent is created from; its store adds the times. */
export interface TurnIntentDraft {
  /** The digest of the identity below: `deferred-turn:` and 64 hex digits. */
  readonly intentId: string;
  /** The source event that owes the turn, 1 to 512 characters. */
  readonly sourceEventId: string;
  /** The run that was interrupted, 1 to 512 characters. */
  readonly runId: string;
  /** The workflow that it runs, 1 to 512 characters. */
  readonly workflowRef: string;
  /** The session that gets the turn, 1 to 512 characters. */
  readonly targetSessionId: string;
  /** What made the turn necessary. */
  readonly cause: TurnIntentCause;
  /** The node that was interrupted, `$launch` before the first, or null where it is not known. */
  readonly nodeId: string | null;
  /** The attempt at the node, or null where it is not known. */
  readonly attemptId: string | null;
  /** What a fallback will tell: cleaned, redacted, at most 64 KiB as JSON text. */
  readonly fallbackFacts: DeferredTurnFacts;
}

/**
 * Builds the identity and the facts of a turn intent (the specification, sections Stable identity and Fallback facts).
 *
 * Reason, name and state are cleaned, redacted and cut, and never refused: an interruption with a hideous error message
 * needs its successor turn all the same. Ids are taken as they are, or refused.
 *
 * @param options.environment the variables whose secret values are taken out of the texts; `process.env` by default
 * @throws DeferredTurnsError `CONTRACT_VIOLATION` with the path of an id that is no key, of an unknown cause, or of a
 *   launch failure at another node than `$launch`
 */
export function draftTurnIntent(
  source: TurnIntentSource,
  options: { readonly environment?: Environment } = {},
): TurnIntentDraft {
  const { sourceEventId, runId, workflowRef, targetSessionId, cause, attemptId = null } = source;
  assertKey(workflowRef, "/workflowRef");
  const nodeId = nodeOf(source);
  const intentId = turnIntentId({ targetSessionId, runId, sourceEventId, nodeId, attemptId, cause });
  const texts = safeTexts(source, environmentSecrets(options.environment ?? process.env));
  const fallbackFacts = parseDeferredTurnFacts({
    schema: DEFERRED_TURN_FACTS_SCHEMA,
    workflowName: texts.workflowName,
    runId,
    observedState: texts.observedState,
    cause,
    nodeId,
    attemptId,
    reason: texts.reason,
    handoff: source.handoff ?? false,
  });
  return { intentId, sourceEventId, runId, workflowRef, targetSessionId, cause, nodeId, attemptId, fallbackFacts };
}

function nodeOf({ cause, nodeId = null }: TurnIntentSource): string | null {
  if (cause !== "launchFailed") return nodeId;
  if (nodeId === null || nodeId === LAUNCH_NODE_ID) return LAUNCH_NODE_ID;
  throw new DeferredTurnsError({
    code: "CONTRACT_VIOLATION",
    message: `/nodeId names a node, but a launch that failed reached none: leave it out, or pass "${LAUNCH_NODE_ID}".`,
    path: "/nodeId",
  });
}

function safeTexts(
  { workflowName, workflowRef, observedState, reason }: TurnIntentSource,
  knownSecrets: readonly string[],
): Pick<DeferredTurnFacts, "workflowName" | "observedState" | "reason"> {
  const line = (text: unknown): string => safeLine(textOf(text), { maxCharacters: KEY_MAX_LENGTH, knownSecrets });
  return {
    workflowName: line(workflowName) || line(workflowRef) || UNNAMED,
    observedState: line(observedState) || UNNAMED,
    reason: safeText(textOf(reason), { maxCharacters: REASON_MAX_LENGTH, knownSecrets }) || null,
  };
}

/** Sources come from code that types do not reach: what is no text says nothing. */
function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
