import type { TurnIntentDraft } from "../contracts/draft.ts";
import type { OneStepWorkflow } from "./oneStepWorkflow.ts";

/** Why a run's turn is being stopped, kept from the abort to the durable end. */
export interface AbortProvenance {
  readonly event: string;
  readonly reason: string | null;
}

/**
 * Where a run stands in this process: its step's prompt has not left (`waiting`), or has (`prompted`), or its turn is
 * being stopped (`aborting`).
 */
export type RunPhase = "waiting" | "prompted" | "aborting";

/** The run that a session works on. */
export class WorkflowRun {
  readonly runId: string;
  readonly workflow: OneStepWorkflow;
  readonly attemptId: string;
  /** The fence of every write to the run's row. */
  readonly claimToken: string;
  #phase: RunPhase = "waiting";
  #provenance: AbortProvenance | undefined;
  #draft: TurnIntentDraft | undefined;

  constructor(options: Pick<WorkflowRun, "runId" | "workflow" | "attemptId" | "claimToken">) {
    this.runId = options.runId;
    this.workflow = options.workflow;
    this.attemptId = options.attemptId;
    this.claimToken = options.claimToken;
  }

  get phase(): RunPhase {
    return this.#phase;
  }

  get provenance(): AbortProvenance | undefined {
    return this.#provenance;
  }

  /** The intent of the abort, which terminal handling stores again under the same id. */
  get draft(): TurnIntentDraft | undefined {
    return this.#draft;
  }

  /** Pi took the step's prompt. */
  prompted(): void {
    if (this.#phase === "waiting") this.#phase = "prompted";
  }

  aborting(provenance: AbortProvenance): void {
    this.#phase = "aborting";
    this.#provenance = provenance;
  }

  identified(draft: TurnIntentDraft | undefined): void {
    this.#draft = draft;
  }
}
