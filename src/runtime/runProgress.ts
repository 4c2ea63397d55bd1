import type { WorkflowDefinition, WorkflowStep } from "../../generated/contracts.ts";

/** Something durable that happened to a run's steps: what `run_events` keeps, and all that a runner needs to go on. */
export type StepEvent =
  | ({ readonly type: "stepStarted" } & Attempt)
  | { readonly type: "stepTimedOut"; readonly nodeId: string; readonly attemptId: string }
  | { readonly type: "stepCompleted"; readonly nodeId: string; readonly result: string }
  | { readonly type: "questionAsked"; readonly nodeId: string; readonly question: string };

/** A step is tried once; where it has a recovery, that is tried when the first attempt ran out of time. */
export type AttemptKind = "main" | "recovery";

/** One try at one step. Its id counts the run's attempts, so that every process that reads the history names it alike. */
export interface Attempt {
  readonly nodeId: string;
  readonly attemptId: string;
  readonly kind: AttemptKind;
  /** Who does the step: only an agent's attempt has a turn that an interruption can cut off. */
  readonly by: "agent" | "command";
}

/** How far a run has come, as its history tells. */
export interface RunProgress {
  /** The results of the completed steps, by step id, as templates see them. */
  readonly steps: Readonly<Record<string, { readonly result: string }>>;
  /** The attempt that was started last and has not ended. */
  readonly attempt: Attempt | undefined;
  /** The steps whose first attempt ran out of time. */
  readonly timedOut: readonly string[];
  /** The step whose question a person has not answered yet. */
  readonly waiting: string | undefined;
  readonly attempts: number;
}

export const NO_PROGRESS: RunProgress = {
  steps: {},
  attempt: undefined,
  timedOut: [],
  waiting: undefined,
  attempts: 0,
};

/** What a runner does next. */
export type Move =
  | { readonly kind: "step"; readonly step: WorkflowStep; readonly attempt: Attempt }
  | { readonly kind: "wait"; readonly nodeId: string }
  | { readonly kind: "finish" };

/** The progress after one more event. */
export function progressAfter(progress: RunProgress, event: StepEvent): RunProgress {
  switch (event.type) {
    case "stepStarted": {
      const { type: _type, ...attempt } = event;
      return { ...progress, attempt, attempts: progress.attempts + 1 };
    }
    case "stepTimedOut":
      return { ...progress, attempt: undefined, timedOut: [...progress.timedOut, event.nodeId] };
    case "questionAsked":
      return { ...progress, waiting: event.nodeId };
    case "stepCompleted": {
      const steps = { ...progress.steps, [event.nodeId]: { result: event.result } };
      return { ...progress, steps, attempt: undefined, waiting: undefined };
    }
  }
}

/** What comes next in a run. An attempt that was interrupted without an end is not gone on with: its step is tried anew. */
export function nextMove(definition: WorkflowDefinition, progress: RunProgress): Move {
  if (progress.waiting !== undefined) return { kind: "wait", nodeId: progress.waiting };
  const step = definition.steps.find(({ id }) => !Object.hasOwn(progress.steps, id));
  if (step === undefined) return { kind: "finish" };
  const kind = progress.timedOut.includes(step.id) ? "recovery" : "main";
  const by = step.kind === "command" ? "command" : "agent";
  return { kind: "step", step, attempt: { nodeId: step.id, attemptId: `attempt-${progress.attempts + 1}`, kind, by } };
}
