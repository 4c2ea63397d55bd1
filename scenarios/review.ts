import type { WorkflowDefinition } from "../generated/contracts.ts";

/** Time enough for a step's turn to begin on a slow machine, and little enough to wait for, in seconds. */
export const STEP_SECONDS = 1;

export const STEP_PROMPT = "Read the change.";

export const RECOVERY_PROMPT = "Finish with what you know.";

const STEP = { kind: "agent", id: "read", prompt: STEP_PROMPT } as const;

/** One step that takes its time. Most scenarios run this workflow, or one of the two below. */
export const REVIEW: WorkflowDefinition = { name: "review", steps: [STEP] };

/** Its step runs out of time, and nothing recovers it. */
export const SHORT_REVIEW: WorkflowDefinition = {
  name: "review",
  steps: [{ ...STEP, timeoutSeconds: STEP_SECONDS }],
};

/** Its step runs out of time, and a recovery follows that takes its time. */
export const LATE_REVIEW: WorkflowDefinition = {
  name: "review",
  steps: [{ ...STEP, timeoutSeconds: STEP_SECONDS, recovery: { prompt: RECOVERY_PROMPT } }],
};

/** Step and recovery both run out of time. */
export const LOST_REVIEW: WorkflowDefinition = {
  name: "review",
  steps: [
    { ...STEP, timeoutSeconds: STEP_SECONDS, recovery: { prompt: RECOVERY_PROMPT, timeoutSeconds: STEP_SECONDS } },
  ],
};
