import { TURN_INTENT_CAUSES, type TurnIntentCause } from "../../generated/contracts.ts";
import { TURN_INTENT_RESOLUTIONS, type TurnIntentResolution } from "../../generated/records.ts";
import { DeferredTurnsError } from "./errors.ts";
import { assertKey } from "./keys.ts";
import { sha256 } from "./sha256.ts";

/** The node of a launch, in rows, facts and identities alike. */
export const LAUNCH_NODE_ID = "$launch";

const TURN_INTENT_ID = /^deferred-turn:[0-9a-f]{64}$/;

/** What a turn intent's id stands for (the specification, section Stable identity). */
export interface TurnIntentIdentity {
  /** The session that gets the turn, 1 to 512 characters. */
  readonly targetSessionId: string;
  /** The run that was interrupted, 1 to 512 characters. */
  readonly runId: string;
  /** The source event, 1 to 512 characters, from `sourceEventId`. */
  readonly sourceEventId: string;
  /** `LAUNCH_NODE_ID` for a launch; null where the node is not known. */
  readonly nodeId: string | null;
  /** Null where the attempt is not known. */
  readonly attemptId: string | null;
  /** What made the turn necessary. */
  readonly cause: TurnIntentCause;
}

/** What makes a source event the one it is: where it happened, and never when, who saw it, or how it turned out. */
export interface SourceEventIdentity {
  /** The kind of transition, such as `attempt` for whatever interrupts a node's attempt. */
  readonly kind: string;
  /** The run, 1 to 512 characters. */
  readonly runId: string;
  /** The node, 1 to 512 characters, or null where none is known. */
  readonly nodeId: string | null;
  /** The attempt, 1 to 512 characters, or null where none is known. */
  readonly attemptId: string | null;
  /** What tells events of one kind and place apart, such as the claim that was lost. */
  readonly discriminator?: string | undefined;
}

/**
 * The id of a turn intent: `deferred-turn:` and 64 lower-case hex digits.
 *
 * They are the SHA-256 of the UTF-8 text of a JSON array without white space: target session, run, source event, node,
 * attempt and cause, in this order, an unknown node or attempt as `null` (the specification, section Stable identity).
 * Strings are written as RFC 8785 has them, which is what `JSON.stringify` does with well-formed ones; they are not
 * normalised.
 *
 * @throws DeferredTurnsError `CONTRACT_VIOLATION` with the path of a part that is no key or no known cause
 */
export function turnIntentId(identity: TurnIntentIdentity): string {
  const { targetSessionId, runId, sourceEventId, nodeId, attemptId, cause } = identity;
  assertKey(targetSessionId, "/targetSessionId");
  assertKey(runId, "/runId");
  assertKey(sourceEventId, "/sourceEventId");
  assertOptionalKey(nodeId, "/nodeId");
  assertOptionalKey(attemptId, "/attemptId");
  assertKnown(cause, TURN_INTENT_CAUSES, { path: "/cause", what: "cause" });
  return `deferred-turn:${digest([targetSessionId, runId, sourceEventId, nodeId, attemptId, cause])}`;
}

/**
 * The id of a source event: `source-event:` and 64 lower-case hex digits, the SHA-256 of the JSON array of kind, run,
 * node, attempt and discriminator, written as in `turnIntentId`.
 *
 * It depends on nothing but its parts. Terminal handling that passes what the abort passed gets the abort's event, as
 * the specification demands (section Stable identity): so the kind must name the transition, not its outcome.
 *
 * @throws DeferredTurnsError `CONTRACT_VIOLATION` with the path of a part that is no key
 */
export function sourceEventId(event: SourceEventIdentity): string {
  const { kind, runId, nodeId, attemptId, discriminator = null } = event;
  assertKey(kind, "/kind");
  assertKey(runId, "/runId");
  assertOptionalKey(nodeId, "/nodeId");
  assertOptionalKey(attemptId, "/attemptId");
  assertOptionalKey(discriminator, "/discriminator");
  return `source-event:${digest([kind, runId, nodeId, attemptId, discriminator])}`;
}

/**
 * The identity of the message that resolves an intent: the same for every process that sends or finds it.
 *
 * @throws DeferredTurnsError `CONTRACT_VIOLATION` when `intentId` is not the id of a turn intent, or `resolution` none
 */
export function resolutionMessageId(intentId: string, resolution: TurnIntentResolution): string {
  if (!TURN_INTENT_ID.test(intentId)) {
    throw broken("/intentId", "is no id of a turn intent: pass what turnIntentId returned");
  }
  assertKnown(resolution, TURN_INTENT_RESOLUTIONS, { path: "/resolution", what: "resolution" });
  return `${intentId}:${resolution}`;
}

function assertOptionalKey(value: unknown, path: string): asserts value is string | null {
  if (value !== null) assertKey(value, path);
}

function assertKnown(
  value: string,
  known: readonly string[],
  { path, what }: { readonly path: string; readonly what: string },
): void {
  if (known.includes(value)) return;
  throw broken(path, `is not a known ${what}: pass one of ${known.join(", ")}`);
}

function broken(path: string, flaw: string): DeferredTurnsError {
  return new DeferredTurnsError({ code: "CONTRACT_VIOLATION", message: `${path} ${flaw}.`, path });
}

function digest(parts: readonly (string | null)[]): string {
  return sha256(JSON.stringify(parts));
}
