import { join } from "node:path";
import { draftTurnIntent, type TurnIntentDraft } from "../../../src/contracts/draft.ts";
import { sourceEventId } from "../../../src/contracts/identity.ts";

/** How much is contended for, and by how many processes. */
export interface Plan {
  readonly folder: string;
  readonly intents: number;
  readonly sessions: number;
  readonly workers: number;
}

/**
 * How an intent comes about and finds its message:
 *
 * - `left`: eligible before any process starts; all of them compete for its fallback;
 * - `prompted`: its owner stores it, and has a prompt that resolves it; a rival has the prompt as well;
 * - `contested`: its owner stores it and has a prompt, while the rival finds the run ended, and has the fallback;
 * - `interrupted`: its owner stores it and ends the run; others step in when it lets a lease go by.
 */
export type Kind = "left" | "prompted" | "contested" | "interrupted";

const KINDS: readonly Kind[] = ["left", "prompted", "contested", "interrupted"];

/** One intent of the plan. Every process that makes it makes the same. */
export interface PlannedIntent {
  readonly kind: Kind;
  readonly draft: TurnIntentDraft;
  /** The numbers of the two processes that have to do with it, beside those that find it eligible. */
  readonly owner: number;
  readonly rival: number;
}

/**
 * How long a delivery claim lives, milliseconds. A process that is suspended for longer than that between its claim and
 * its message may send a second one, which nothing can prevent: so it is longer than a busy machine suspends a process.
 */
export const LEASE_MS = 3000;

export function storePath({ folder }: Plan): string {
  return join(folder, "controller.sqlite");
}

export function sessionIds({ sessions }: Plan): readonly string[] {
  return Array.from({ length: sessions }, (_, index) => `session-${index + 1}`);
}

export function sessionFile({ folder }: Plan, sessionId: string): string {
  return join(folder, `${sessionId}.jsonl`);
}

export function plannedIntents(plan: Plan): readonly PlannedIntent[] {
  const { intents, workers } = plan;
  const ids = sessionIds(plan);
  return Array.from({ length: intents }, (_, index) => ({
    kind: KINDS[index % KINDS.length] ?? "left",
    draft: draftOf(`run-${index + 1}`, ids[index % ids.length] ?? ""),
    owner: index % workers,
    rival: (index + 1) % workers,
  }));
}

function draftOf(runId: string, targetSessionId: string): TurnIntentDraft {
  const [nodeId, attemptId] = ["work", "attempt-1"];
  return draftTurnIntent({
    targetSessionId,
    runId,
    workflowRef: "contended",
    sourceEventId: sourceEventId({ kind: "attempt", runId, nodeId, attemptId }),
    cause: "failed",
    nodeId,
    attemptId,
    observedState: "failed",
    reason: "many processes want to tell of it",
  });
}
