import type { WorkflowTurnIntent } from "../../generated/records.ts";
import { parseTimestamp } from "../contracts/timestamp.ts";

/** What this process knows about an eligible intent of its session. */
export interface FallbackSituation {
  readonly now: number;
  readonly deliveryLeaseMs: number;
  readonly sessionStartedAt: number;
  /** Whether the interruption happened in this process. */
  readonly hosted: boolean;
  /** Whether the run is held since the user pressed Escape. */
  readonly held: boolean;
  /** Whether a current natural message of the run waits here; it will resolve the intent. */
  readonly naturalWaiting: boolean;
  readonly inFlight: boolean;
  readonly exhausted: boolean;
}

/** Whether this process may send an eligible intent's fallback now, or what it waits for. */
export type FallbackVerdict = "ready" | "inFlight" | "held" | "naturalWaiting" | "exhausted" | "hostComesFirst";

/**
 * Decides whether this process may send the fallback of an eligible intent (the specification, section Fallback
 * delivery). The process that hosted the interruption comes first; another one steps in at its own session start, or
 * when the host let a whole lease go by.
 */
export function judgeFallback(
  intent: Pick<WorkflowTurnIntent, "eligibleAt">,
  situation: FallbackSituation,
): FallbackVerdict {
  if (situation.inFlight) return "inFlight";
  if (situation.held) return "held";
  if (situation.naturalWaiting) return "naturalWaiting";
  if (situation.exhausted) return "exhausted";
  return situation.hosted || isLeftToOthers(intent, situation) ? "ready" : "hostComesFirst";
}

function isLeftToOthers({ eligibleAt }: Pick<WorkflowTurnIntent, "eligibleAt">, situation: FallbackSituation): boolean {
  if (eligibleAt === null) return false;
  const since = parseTimestamp(eligibleAt);
  // A time ahead of the clock tells that the clock stepped back; how long ago it was, nobody knows.
  const isAhead = since > situation.now;
  return isAhead || since <= situation.sessionStartedAt || since + situation.deliveryLeaseMs <= situation.now;
}
