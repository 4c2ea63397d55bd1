import { createHash, randomUUID } from "node:crypto";
import type { WorkflowRun as RunRecord } from "../../generated/records.ts";
import { draftTurnIntent, type TurnIntentDraft } from "../contracts/draft.ts";
import { DeferredTurnsError } from "../contracts/errors.ts";
import { sourceEventId } from "../contracts/identity.ts";
import { STEP_MESSAGE_TYPE } from "../contracts/messageTypes.ts";
import type { BoundSession } from "../pi/boundSession.ts";
import type { Every } from "../pi/timer.ts";
import type { ControllerStore } from "../store/controllerStore.ts";
import type { NaturalMessage } from "../turns/naturalQueue.ts";
import type { CreateDecision } from "../turns/policy.ts";
import type { SettlementCause } from "../turns/sessionGate.ts";
import { type OneStepWorkflow, oneStepWorkflow, parseOneStepWorkflow, STEP_NODE_ID } from "./oneStepWorkflow.ts";
import { WorkflowRun } from "./workflowRun.ts";

/** How long a run's claim lives unrenewed, and how often it is renewed, milliseconds. */
export interface QueueSettings {
  readonly queueLeaseMs: number;
  readonly queueRenewMs: number;
}

export const DEFAULT_QUEUE_SETTINGS: QueueSettings = { queueLeaseMs: 30_000, queueRenewMs: 10_000 };

/**
 * Quitting and leaving a session abort the turn as Escape does, just before the session closes. A hold that is younger
 * than this at the closing, milliseconds, was no person's wish.
 */
const CLOSING_GRACE_MS = 1000;

/** What the runtime works with; time and the session are injected. */
export interface WorkflowRuntimeOptions {
  /** The bound session. Throws outside one. */
  readonly session: () => BoundSession;
  readonly settings: QueueSettings;
  readonly now: () => number;
  readonly every: Every;
  /** This process among those that run workflows. */
  readonly runnerId: string;
}

/** Runs workflows of one agent step in a Pi session; each is a durable row from its start to its end. */
export class WorkflowRuntime {
  readonly #options: WorkflowRuntimeOptions;
  #run: WorkflowRun | undefined;
  #stopRenewing: (() => void) | undefined;
  #lastHold: { readonly runId: string; readonly at: number } | undefined;

  constructor(options: WorkflowRuntimeOptions) {
    this.#options = options;
  }

  /** Queues and starts a run. Throws INVALID_ARGUMENT for what is wrong at once; then nothing was stored. */
  start(name: unknown, prompt: unknown): RunRecord {
    const workflow = oneStepWorkflow(name, prompt);
    this.#assertIdle();
    const runId = newRunId(workflow.name, this.#options.now());
    const claimToken = randomUUID();
    const store = this.#store();
    store.transaction(() => {
      const { status, run } = store.enqueueWorkflowRun(this.#queueRow(runId, workflow));
      if (status !== "queued") throw busyWith(run.runId);
      this.#claim(store, runId, claimToken);
    });
    this.#begin(new WorkflowRun({ runId, workflow, attemptId: newAttemptId(), claimToken }));
    return this.status(runId);
  }

  /** The run with the id, or this session's latest. Throws INVALID_ARGUMENT when there is none. */
  status(runId?: string): RunRecord {
    const originSessionId = this.#options.session().id;
    const run =
      runId === undefined
        ? this.#store().listWorkflowRuns({ originSessionId, limit: 1 })[0]
        : this.#store().getWorkflowRun(runId);
    if (run !== undefined) return run;
    const message = runId === undefined ? "No workflow was started in this session." : `There is no run ${runId}.`;
    throw new DeferredTurnsError({ code: "INVALID_ARGUMENT", message, path: "/runId" });
  }

  /** The agent cancels the active run from its own turn, which is stopped. Returns the id of the run. */
  cancelByAgent(reason: string | null): string {
    const run = this.#activeRun();
    const { draft, ensured } = this.#options.session().interrupt({
      event: { kind: "agentCancelled" },
      turn: "live",
      recordProvenance: () => run.aborting({ event: "agentCancelled", reason }),
      draft: (decision) => this.#draft(run, decision),
    });
    run.identified(draft);
    // A store that failed just now gets its second chance at the settlement.
    if (ensured?.status === "stored") this.#endAborted(run);
    return run.runId;
  }

  /** A person cancels the active or held run: it is over, and the agent is told nothing. Returns the id of the run. */
  cancelByUser(): string {
    const store = this.#store();
    const { runId, workflowRef } = this.#run === undefined ? this.#heldRun() : this.status(this.#run.runId);
    store.transaction(() => {
      store.finishWorkflowRun({ runId, status: "cancelled", errorCode: "userCancelled" });
      store.recordRunEvent({ runId, workflowRef, type: "userCancelled", payload: {} });
    });
    const wasActive = this.#run !== undefined;
    this.#leave();
    if (wasActive) this.#options.session().stopTurnQuietly();
    return runId;
  }

  /** A person lets the held run go on. Returns the id of the run. */
  resume(): string {
    this.#assertIdle();
    const run = this.#heldRun();
    this.#continue(run);
    return run.runId;
  }

  /** The session is bound: what it left unfinished goes on, unless a person holds it. */
  sessionStarted(): void {
    const originSessionId = this.#options.session().id;
    const statuses = ["queued", "starting", "running", "parked"] as const;
    const runs = this.#store().listWorkflowRuns({ originSessionId, statuses, limit: 10 });
    const open = runs.find(({ runId }) => !this.#store().isWorkflowRunHeld(runId));
    if (open !== undefined) this.#continue(open);
  }

  /** Pi is about to start a turn for a message with these details. */
  turnStarting(details: unknown): void {
    const runId = (details as { readonly runId?: unknown } | null | undefined)?.runId;
    if (this.#run !== undefined && this.#run.runId === runId) this.#run.prompted();
  }

  /** A turn settled: a stopped run gets its durable end, Escape holds the run, and a step that was worked on is done. */
  settled(cause: SettlementCause): void {
    const run = this.#run;
    if (run === undefined) return;
    if (run.phase === "aborting") this.#endAborted(run);
    else if (cause === "userAbort") this.#hold(run);
    else if (run.phase === "prompted") this.#complete(run);
  }

  /** The session closes: the run waits, parked, for the session's next start. */
  sessionClosing(): void {
    const run = this.#run;
    this.#leave();
    if (run !== undefined) this.#store().parkWorkflowRun({ runId: run.runId, claimToken: run.claimToken });
    const hold = this.#lastHold;
    if (hold !== undefined && this.#options.now() - hold.at < CLOSING_GRACE_MS) {
      this.#store().resumeWorkflowRun({ runId: hold.runId });
    }
  }

  #store(): ControllerStore {
    return this.#options.session().store();
  }

  #assertIdle(): void {
    if (this.#run === undefined) return;
    const message = `This session already works on the run ${this.#run.runId}; wait for its end, or cancel it first.`;
    throw new DeferredTurnsError({ code: "INVALID_ARGUMENT", message });
  }

  #activeRun(): WorkflowRun {
    if (this.#run !== undefined) return this.#run;
    const message = "No workflow run is active in this session, so there is nothing to cancel.";
    throw new DeferredTurnsError({ code: "INVALID_ARGUMENT", message });
  }

  #heldRun(): RunRecord {
    const store = this.#store();
    const page = { originSessionId: this.#options.session().id, statuses: ["parked"], limit: 10 } as const;
    const held = store.listWorkflowRuns(page).find(({ runId }) => store.isWorkflowRunHeld(runId));
    if (held !== undefined) return held;
    const message = "No run of this session is held.";
    throw new DeferredTurnsError({ code: "INVALID_ARGUMENT", message });
  }

  #queueRow(runId: string, workflow: OneStepWorkflow): Parameters<ControllerStore["enqueueWorkflowRun"]>[0] {
    const workflowSourceJson = JSON.stringify(workflow);
    return {
      runId,
      workflowRef: workflow.name,
      workflowPath: "inline",
      workflowSourceJson,
      definitionDigest: createHash("sha256").update(workflowSourceJson).digest("hex"),
      inputJson: "{}",
      launchOptionsJson: "{}",
      originSessionId: this.#options.session().id,
    };
  }

  #claim(store: ControllerStore, runId: string, claimToken: string): void {
    const { runnerId, settings } = this.#options;
    const claim = store.claimWorkflowRun({ runId, runnerId, claimToken, leaseMs: settings.queueLeaseMs });
    if (claim.status === "claimed") return;
    const message = `The run ${runId} is held by another process; it can be taken over when its claim expires.`;
    throw new DeferredTurnsError({ code: "INVALID_ARGUMENT", message });
  }

  #continue(row: RunRecord): void {
    const claimToken = randomUUID();
    const store = this.#store();
    store.transaction(() => {
      if (row.status === "parked") store.resumeWorkflowRun({ runId: row.runId });
      this.#claim(store, row.runId, claimToken);
    });
    const workflow = parseOneStepWorkflow(row.workflowSourceJson);
    this.#begin(new WorkflowRun({ runId: row.runId, workflow, attemptId: newAttemptId(), claimToken }));
  }

  #begin(run: WorkflowRun): void {
    this.#run = run;
    const { settings, every } = this.#options;
    this.#stopRenewing = every(settings.queueRenewMs, () => this.#renew(run));
    this.#options.session().deliver(this.#stepPrompt(run));
  }

  #renew(run: WorkflowRun): void {
    const { settings, session } = this.#options;
    const { runId, claimToken } = run;
    session().attempt("renewing the claim of a run", () =>
      this.#store().renewWorkflowRunClaim({ runId, claimToken, leaseMs: settings.queueLeaseMs }),
    );
  }

  #stepPrompt(run: WorkflowRun): NaturalMessage {
    const { runId, attemptId, workflow } = run;
    return {
      kind: "workflowPrompt",
      runId,
      stepKey: `${STEP_NODE_ID}/${attemptId}`,
      message: {
        customType: STEP_MESSAGE_TYPE,
        content: `Workflow "${workflow.name}" (run ${runId}) asks for its step:\n\n${workflow.prompt}`,
        display: true,
        details: { runId, nodeId: STEP_NODE_ID, attemptId },
      },
      options: { deliverAs: "followUp", triggerTurn: true },
      isCurrent: () => this.#run === run && run.phase === "waiting",
    };
  }

  #draft(run: WorkflowRun, decision: CreateDecision): TurnIntentDraft {
    const { runId, attemptId, workflow, provenance } = run;
    const place = { runId, nodeId: STEP_NODE_ID, attemptId };
    return draftTurnIntent({
      ...place,
      targetSessionId: this.#options.session().id,
      workflowRef: workflow.name,
      sourceEventId: sourceEventId({ kind: "attempt", ...place }),
      cause: decision.cause,
      observedState: "cancelled",
      reason: provenance?.reason ?? null,
      handoff: decision.handoff,
    });
  }

  #endAborted(run: WorkflowRun): void {
    const { runId, claimToken, workflow, provenance, draft } = run;
    const transition = (store: ControllerStore): void => {
      store.finishWorkflowRun({ runId, claimToken, status: "cancelled", errorCode: provenance?.event ?? "cancelled" });
      store.recordRunEvent({ runId, workflowRef: workflow.name, type: "runCancelled", payload: { ...provenance } });
    };
    if (draft === undefined) {
      transition(this.#store());
      this.#leave();
      return;
    }
    const { status } = this.#options
      .session()
      .endRun({ draft, transition, endedBy: "workflow", presentationDue: false });
    if (status === "stored") this.#leave();
  }

  #hold({ runId, claimToken }: WorkflowRun): void {
    this.#store().holdWorkflowRun({ runId, claimToken });
    this.#lastHold = { runId, at: this.#options.now() };
    this.#leave();
  }

  #complete({ runId, claimToken }: WorkflowRun): void {
    this.#store().finishWorkflowRun({ runId, claimToken, status: "done" });
    this.#leave();
  }

  #leave(): void {
    this.#stopRenewing?.();
    this.#stopRenewing = undefined;
    this.#run = undefined;
  }
}

function busyWith(runId: string): DeferredTurnsError {
  const message = `This session already works on the run ${runId}; wait for its end, or cancel it first.`;
  return new DeferredTurnsError({ code: "INVALID_ARGUMENT", message });
}

/** A run id that a person can read and sort: when, what, and eight random digits. */
function newRunId(name: string, now: number): string {
  const stamp = new Date(now).toISOString().replace(/[-:]|\.\d{3}/g, "");
  return `${stamp}-${name}-${randomUUID().slice(0, 8)}`;
}

function newAttemptId(): string {
  return `attempt-${randomUUID().slice(0, 8)}`;
}
