import {
  encodeWorkflowTurnIntent,
  type WorkflowTurnIntentInput,
  type WorkflowTurnIntentRow,
} from "../../../generated/records.ts";
import { draftTurnIntent, type TurnIntentDraft, type TurnIntentSource } from "../../../src/contracts/draft.ts";
import { sourceEventId } from "../../../src/contracts/identity.ts";

/** The session of all intents that have no other. */
export const SESSION = "7b0d6c0e-33d4-4f6f-9b1e-0e6f8a1c2d3e";

const REQUESTED_AT = "2026-08-21T08:17:31.000Z";

/** The reason of an intent of a benchmark, none of which comes twice: what a failed command says in a few lines. */
const reasonOf = (run: string): string =>
  `The step was cancelled: \`npm run build\` of ${run} ended with status 2.\n` +
  "src/store/openStore.ts(41,7): error TS2322: Type 'string | undefined' is not assignable to type 'string'.\n" +
  "Inspect the run before anything is tried again.";

let count = 0;

/** What a host says of an interruption that nothing else in this process has, with ids as long as real ones are. */
export function newSource(options: { readonly runId?: string } = {}): TurnIntentSource {
  count += 1;
  const { runId = `20260821T081731Z-autoimplement-${count.toString(16).padStart(8, "0")}` } = options;
  const attemptId = `${runId}:implement:${count}`;
  return {
    targetSessionId: SESSION,
    runId,
    workflowRef: "autoimplement",
    sourceEventId: sourceEventId({ kind: "attempt", runId, nodeId: "implement", attemptId }),
    nodeId: "implement",
    attemptId,
    cause: "agentCancelled",
    observedState: "cancelled",
    reason: reasonOf(runId),
  };
}

/** The draft of such an interruption. */
export function newDraft(options: { readonly runId?: string } = {}): TurnIntentDraft {
  return draftTurnIntent(newSource(options), { environment: {} });
}

/** The row of a draft, as the store writes it. */
export function rowOf(draft: TurnIntentDraft, changes: Partial<WorkflowTurnIntentInput> = {}): WorkflowTurnIntentRow {
  const { intentId, sourceEventId, runId, workflowRef, targetSessionId, cause, nodeId, attemptId, fallbackFacts } =
    draft;
  return encodeWorkflowTurnIntent({
    intentId,
    sourceEventId,
    runId,
    workflowRef,
    targetSessionId,
    cause,
    nodeId,
    attemptId,
    fallbackFacts,
    requestedAt: REQUESTED_AT,
    ...changes,
  });
}

/** `count` things made by `make`. */
export function several<Made>(count: number, make: (index: number) => Made): readonly Made[] {
  return Array.from({ length: count }, (_, index) => make(index));
}
