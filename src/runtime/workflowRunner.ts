import type { AgentStep, CommandStep, WorkflowStep } from "../../generated/contracts.ts";
import { DeferredTurnsError } from "../contracts/errors.ts";
import type { BoundSession } from "../pi/boundSession.ts";
import type { After } from "../pi/timer.ts";
import type { ControllerStore } from "../store/controllerStore.ts";
import { codeOf, sentenceOf } from "../turns/diagnostics.ts";
import type { TurnEvent } from "../turns/policy.ts";
import type { SettlementCause } from "../turns/sessionGate.ts";
import type { ClaimedRun } from "./claimedRun.ts";
import type { CommandEnd, StartCommand } from "./commandStep.ts";
import { parseWorkflowDefinition } from "./definitions/definitionFile.ts";
import { LoadedWorkflow } from "./loadedWorkflow.ts";
import { type EndStatus, RunInterruptions } from "./runInterruptions.ts";
import { type Attempt, nextMove, progressAfter, type RunProgress, type StepEvent } from "./runProgress.ts";
import type { AgentStage, RunStage } from "./runStage.ts";
import { storedResult } from "./runTexts.ts";
import { notification, presentation, stepPrompt, stepReminder } from "./stepMessages.ts";

/** What a runner works with. */
export interface RunnerParts {
  readonly session: BoundSession;
  readonly after: After;
  readonly startCommand: StartCommand;
  /** Where commands run. */
  readonly cwd: string;
  /** Whether the turn still runs in which the agent started the run: it counts as the workflow's own. */
  readonly inStartingTurn: () => boolean;
  /** The run left this process: it ended, waits for a person, or is another's. */
  readonly onGone: () => void;
}

type Render = (template: string) => string;
/** How often an agent is reminded of a step that it left open, before the step counts as failed. */
const MAX_REMINDERS = 2;

/** Works on one run, from its claim until it ends, waits, is parked, or belongs to another process. */
export class WorkflowRunner {
  readonly #parts: RunnerParts;
  readonly #claim: ClaimedRun;
  readonly #interruptions: RunInterruptions;
  #workflow: LoadedWorkflow | undefined;
  #progress: RunProgress;
  #stage: RunStage = { kind: "between" };
  #endedStepInTurn = false;

  constructor(parts: RunnerParts, claim: ClaimedRun, progress: RunProgress) {
    this.#parts = parts;
    this.#claim = claim;
    this.#progress = progress;
    this.#interruptions = new RunInterruptions(parts.session, claim);
  }

  get runId(): string {
    return this.#claim.runId;
  }

  /** Activates the run: what is wrong with its definition or input shows here, after `start` was reported. */
  launch(): void {
    const { workflowSourceJson, workflowPath, inputJson } = this.#claim.row;
    const definition = this.#orFail({ kind: "launchFailed" }, () =>
      parseWorkflowDefinition(workflowSourceJson, workflowPath),
    );
    if (definition === undefined) return;
    this.#workflow = this.#orFail({ kind: "startCrashed" }, () => new LoadedWorkflow(definition, inputJson));
    this.advance();
  }

  /** Goes on from where the run stands, until something else must happen first. A pass goes on where the store failed. */
  advance(): void {
    if (this.#stage.kind === "storing") this.#stage.retry();
    while (this.#stage.kind === "between" && this.#workflow !== undefined) {
      const workflow = this.#workflow;
      const move = nextMove(workflow.definition, this.#progress);
      if (move.kind === "wait") {
        this.#leave();
        return;
      }
      const went = this.#durably(() => {
        const render = (template: string): string => workflow.render(template, this.#progress);
        if (move.kind === "finish") this.#finish(workflow.definition.presentation, render);
        else this.#begin(move.step, move.attempt, render);
      });
      if (!went) return;
    }
  }

  /** The agent reports the result of its step. Throws INVALID_ARGUMENT when it was asked for none. */
  complete(result: string): void {
    const { attempt, cancelDeadline } = this.#askedStage();
    this.#record({ type: "stepCompleted", nodeId: attempt.nodeId, result: storedResult(result) });
    cancelDeadline();
    this.#endedStepInTurn = true;
    this.#stage = { kind: "between" };
    this.advance();
  }

  /** The agent reports that its step cannot be done. Throws INVALID_ARGUMENT when it was asked for none. */
  fail(reason: string): void {
    this.#askedStage();
    this.#endByAgent({ kind: "runFailed" }, "failed", reason);
  }

  /** The agent cancels the run. A turn of the workflow is stopped; a turn of the user's own goes on. */
  cancelByAgent(reason: string | null): void {
    this.#endByAgent({ kind: "agentCancelled" }, "cancelled", reason);
  }

  /** A controller asks for the end of the run. */
  interruptedByController(reason: string | null): void {
    this.#end({ kind: "controllerInterrupted", continuation: "terminal" }, "cancelled", reason, this.#turn());
  }

  /** Pi is about to start a turn for a message with these details. */
  turnStarting(details: unknown): void {
    const { attemptId, runId } = (details ?? {}) as { readonly attemptId?: unknown; readonly runId?: unknown };
    const stage = this.#stage;
    if (stage.kind === "agent" && runId === this.runId && attemptId === stage.attempt.attemptId) {
      this.#stage = { ...stage, turn: "live", mayEnd: true };
    }
  }

  /** A turn settled. Returns whether the user stopped the workflow's own turn, so that the run is held. */
  settled(cause: SettlementCause): "held" | "goesOn" {
    this.#endedStepInTurn = false;
    const stage = this.#stage;
    if (stage.kind === "storing") this.advance();
    if (stage.kind !== "agent") return "goesOn";
    this.#stage = { ...stage, mayEnd: true };
    if (cause === "userAbort" && this.#ownTurn() === "live") return this.#hold(stage);
    if (cause === "completed" && stage.turn === "live") this.#turnEndedOpen(stage);
    return "goesOn";
  }

  /** Renews the claim, or learns that it was lost. */
  renew(): void {
    if (this.#stage.kind !== "gone" && !this.#claim.renew(this.#store())) this.#lose();
  }

  /** The session closes: the run waits for its next start. */
  park(): void {
    const { runId, claimToken } = this.#claim;
    this.#leave();
    this.#store().parkWorkflowRun({ runId, claimToken });
  }

  /** A person ended or paused the run durably. Returns whether a turn of it still runs. */
  dismissed(): boolean {
    const turn = this.#turn();
    this.#leave();
    return turn === "live";
  }

  #store(): ControllerStore {
    return this.#parts.session.store();
  }

  #turn(): "live" | "none" {
    return this.#stage.kind === "agent" && this.#stage.turn === "live" ? "live" : "none";
  }

  /** The workflow's turn, or the one that started it. */
  #ownTurn(): "live" | "none" {
    return this.#parts.inStartingTurn() ? "live" : this.#turn();
  }

  #askedStage(): AgentStage {
    if (this.#stage.kind === "agent" && this.#stage.mayEnd) return this.#stage;
    const message = `The run ${this.runId} has not asked you for a step now, so there is no step to end.`;
    throw new DeferredTurnsError({ code: "INVALID_ARGUMENT", message });
  }

  #begin(step: WorkflowStep, attempt: Attempt, render: Render): void {
    switch (step.kind) {
      case "agent":
        this.#prompt(step, attempt, render);
        return;
      case "command":
        this.#command({ ...step, argv: step.argv.map((word) => render(word)) }, attempt);
        return;
      case "notify":
        this.#notify(step.id, step.notification, render(step.content));
        return;
      case "wait":
        this.#ask(step.id, render(step.question));
        return;
    }
  }

  #prompt(step: AgentStep, attempt: Attempt, render: Render): void {
    const { prompt, timeoutSeconds } = (attempt.kind === "recovery" && step.recovery) || step;
    const text = render(prompt);
    this.#record({ type: "stepStarted", ...attempt });
    const cancelDeadline = this.#startDeadline(attempt, timeoutSeconds);
    this.#stage = {
      kind: "agent",
      step,
      attempt,
      cancelDeadline,
      turn: "awaited",
      mayEnd: !this.#endedStepInTurn,
      reminders: 0,
    };
    this.#parts.session.deliver(stepPrompt(this.#claim.row, attempt, text, () => this.#awaits(attempt)));
  }

  /** A step without a limit has as long as it takes. */
  #startDeadline(attempt: Attempt, seconds: number | undefined): () => void {
    if (seconds === undefined) return () => undefined;
    return this.#parts.after(seconds * 1000, () => this.#timedOut(attempt, seconds));
  }

  #command(step: CommandStep, attempt: Attempt): void {
    this.#record({ type: "stepStarted", ...attempt });
    const { startCommand, cwd } = this.#parts;
    const stop = startCommand(step, cwd, (end) => this.#commandEnded(attempt, end));
    this.#stage = { kind: "command", attempt, stop };
  }

  #commandEnded({ nodeId }: Attempt, end: CommandEnd): void {
    if (end.status === "failed") {
      this.#fail({ kind: "runFailed" }, end.reason);
      return;
    }
    const result = storedResult(end.output);
    // Until the result is stored the command counts as under way: it must not run a second time.
    this.#stage = { kind: "storing", retry: () => this.#keepResult({ type: "stepCompleted", nodeId, result }) };
    this.advance();
  }

  #keepResult(event: StepEvent): void {
    if (this.#durably(() => this.#record(event))) this.#stage = { kind: "between" };
  }

  #notify(nodeId: string, kind: "progress" | "final", text: string): void {
    this.#record({ type: "stepCompleted", nodeId, result: text });
    this.#parts.session.deliver(notification(this.#claim.row, nodeId, kind, text));
  }

  #ask(nodeId: string, question: string): void {
    const { runId, claimToken } = this.#claim;
    const store = this.#store();
    this.#record({ type: "questionAsked", nodeId, question }, () => store.parkWorkflowRun({ runId, claimToken }));
    this.#leave();
    const isCurrent = (): boolean => this.#store().getWorkflowRun(runId)?.status === "parked";
    this.#parts.session.deliver(presentation(this.#claim.row, question, isCurrent));
  }

  #finish(template: string | undefined, render: Render): void {
    const { runId, claimToken } = this.#claim;
    const text = template === undefined ? undefined : render(template);
    const store = this.#store();
    this.#claim.write(store, () => {
      this.#claim.record(store, "runEnded", { status: "done", ...(text === undefined ? {} : { presentation: text }) });
      store.finishWorkflowRun({ runId, claimToken, status: "done" });
      if (text === undefined) store.makeRunTurnIntentsEligible({ runId });
    });
    this.#leave();
    if (text !== undefined) this.#parts.session.deliver(presentation(this.#claim.row, text, () => true));
  }

  #timedOut(attempt: Attempt, seconds: number): void {
    const stage = this.#stage;
    if (stage.kind !== "agent" || stage.attempt !== attempt) return;
    const event: TurnEvent = { kind: "stepTimedOut" };
    const reason = `The step "${attempt.nodeId}" ran longer than ${seconds} s.`;
    if (attempt.kind === "recovery" || stage.step.recovery === undefined) {
      this.#end(event, "failed", reason, this.#turn());
      return;
    }
    const { nodeId, attemptId } = attempt;
    const timedOut: StepEvent = { type: "stepTimedOut", nodeId, attemptId };
    const interruption = { event, attempt, turn: this.#turn(), reason };
    this.#progress = progressAfter(this.#progress, timedOut);
    const record = (store: ControllerStore): void => this.#claim.record(store, timedOut.type, timedOut);
    this.#whenStored(this.#interruptions.goOn(interruption, record), () => {
      this.#stage = { kind: "between" };
    });
    this.advance();
  }

  /** The agent ended its turn without ending its step. */
  #turnEndedOpen(stage: AgentStage): void {
    if (stage.reminders >= MAX_REMINDERS) {
      const reason = `The agent ended its turn ${MAX_REMINDERS + 1} times without ending the step "${stage.attempt.nodeId}".`;
      this.#fail({ kind: "runFailed" }, reason);
      return;
    }
    this.#stage = { ...stage, turn: "awaited", reminders: stage.reminders + 1 };
    this.#parts.session.deliver(stepReminder(this.#claim.row, stage.attempt, () => this.#awaits(stage.attempt)));
  }

  #awaits({ attemptId }: Attempt): boolean {
    const stage = this.#stage;
    return stage.kind === "agent" && stage.attempt.attemptId === attemptId && stage.turn === "awaited";
  }

  /** Outside a turn of the workflow's own the agent sees the end in its tool's result, and is owed nothing more. */
  #endByAgent(event: TurnEvent, status: EndStatus, reason: string | null): void {
    if (this.#ownTurn() === "live") {
      this.#end(event, status, reason, "live");
      return;
    }
    this.#interruptions.endQuietly(event, status, reason);
    this.#leave();
  }

  #end(event: TurnEvent, status: EndStatus, reason: string | null, turn: "live" | "none"): void {
    const attempt = this.#currentAttempt();
    this.#stop();
    this.#whenStored(this.#interruptions.end({ event, attempt, turn, reason }, status), () => this.#leave());
  }

  #fail(event: TurnEvent, reason: string): void {
    const attempt = this.#currentAttempt();
    this.#stop();
    this.#whenStored(this.#interruptions.fail({ event, attempt, reason }), () => this.#leave());
  }

  /** Goes on when the intent and its change of durable state are stored; until then the claim on the run is kept. */
  #whenStored(intentId: string | undefined, next: () => void): void {
    const retry = (): void => {
      if (intentId === undefined || !this.#parts.session.isUnsaved(intentId)) next();
    };
    this.#stage = { kind: "storing", retry };
    retry();
  }

  /** The claim is gone: another process has the run, or a person ended or paused it there, or the store is another one. */
  #lose(): void {
    const row = this.#store().getWorkflowRun(this.runId);
    const [attempt, turn] = [this.#stage.kind === "agent" ? this.#stage.attempt : undefined, this.#turn()];
    this.#leave();
    if (row === undefined) this.#interruptions.vanished(attempt, turn);
    else if (row.claimToken !== null) this.#interruptions.lost(attempt, turn);
    else if (turn === "live") this.#parts.session.stopTurnQuietly();
  }

  #hold(stage: AgentStage): "held" | "goesOn" {
    stage.cancelDeadline();
    const { runId, claimToken } = this.#claim;
    let held = false;
    const retry = (): void => {
      held = this.#durably(() => void this.#store().holdWorkflowRun({ runId, claimToken }));
      if (held) this.#leave();
    };
    this.#stage = { kind: "storing", retry };
    retry();
    return held ? "held" : "goesOn";
  }

  /** The attempt that an interruption meets: the one under way, or the run's last. */
  #currentAttempt(): Attempt | undefined {
    return "attempt" in this.#stage ? this.#stage.attempt : this.#progress.attempt;
  }

  #leave(): void {
    this.#stop();
    this.#stage = { kind: "gone" };
    this.#parts.onGone();
  }

  #stop(): void {
    if (this.#stage.kind === "agent") this.#stage.cancelDeadline();
    if (this.#stage.kind === "command") this.#stage.stop();
  }

  /** Adds a step's event to the run's history, with what else changes by it. */
  #record(event: StepEvent, also: () => unknown = () => undefined): void {
    const store = this.#store();
    const { runId, claimToken } = this.#claim;
    this.#claim.write(store, () => {
      store.markWorkflowRunRunning({ runId, claimToken });
      this.#claim.record(store, event.type, event);
      also();
    });
    this.#progress = progressAfter(this.#progress, event);
  }

  /** Does what writes durable state. A store that fails is tried again at the next pass; any other failure is the run's. */
  #durably(work: () => void): boolean {
    try {
      work();
      return true;
    } catch (error) {
      if (codeOf(error) === "RUN_CLAIM_LOST") this.#lose();
      else if (codeOf(error).startsWith("STORE_")) this.#parts.session.report(error);
      else this.#fail({ kind: this.#progress.attempts === 0 ? "startCrashed" : "runFailed" }, sentenceOf(error));
      return false;
    }
  }

  #orFail<Result>(event: TurnEvent, work: () => Result): Result | undefined {
    try {
      return work();
    } catch (error) {
      this.#fail(event, sentenceOf(error));
      return undefined;
    }
  }
}
