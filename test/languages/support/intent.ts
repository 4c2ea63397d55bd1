import { draft } from "../../store/helpers/storeWorld.ts";

/** The interruption of `draft()`, as the programs of other languages take it. */
export const INTENT = {
  targetSessionId: "session-1",
  runId: "run-1",
  workflowRef: "autoimplement",
  workflowName: "autoimplement",
  kind: "attempt",
  nodeId: "step",
  attemptId: "attempt-1",
  cause: "agentCancelled",
  observedState: "running",
  reason: 'the agent said "no" – нет 🦀 <&>\u2028',
  handoff: false,
} as const;

/** Its id. */
export const INTENT_ID = draft().intentId;
