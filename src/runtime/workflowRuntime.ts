import type { WorkflowRun as RunRecord } from "../../generated/records.ts";
import { DeferredTurnsError } from "../contracts/errors.ts";
import { sha256 } from "../contracts/sha256.ts";
import type { BoundSession } from "../pi/boundSession.ts";
import type { After, Every } from "../pi/timer.ts";
import type { ControllerStore } from "../store/controllerStore.ts";
import { lookForInterrupt } from "../store/runs/interruptRequests.ts";
import { decideTurnIntent } from "../turns/policy.ts";
import type { SettlementCause } from "../turns/sessionGate.ts";
import { ClaimedRun } from "./claimedRun.ts";
import type { StartCommand } from "./commandStep.ts";
import { findDefinition, type ListedDefinition, listDefinitions } from "./definitions/definitionFolders.ts";
import { guardedCallbacks } from "./guardedCallbacks.ts";
import { reconcile, USER_CANCELLED } from "./reconciliation.ts";
import { claimLossDraft } from "./runDrafts.ts";
import { type RunHistory, readHistory } from "./runHistory.ts";
import { storedResult } from "./runTexts.ts";
import type { RuntimeSettings } from "./settings.ts";
import { WorkflowRunner } from "./workflowRunner.ts";
import { requireTrust, type Workplace } from "./workplace.ts";

/** A claim that would outlive this from now, milliseconds, was made before the clock stepped back. */
const LONGEST_LEASE_MS = 600_000;

/** What the runtime works with; time, randomness, processes and the session are injected. */
export interface WorkflowRuntimeOptions {
  /** The bound session. Throws outside one. */
  readonly session: () => BoundSession;
  readonly settings: RuntimeSettings;
  readonly now: () => number;
  readonly every: Every;
  readonly after: After;
  /** A new random id, at least eight characters long and different in the first eight. */
  readonly newId: () => string;
  readonly startCommand: StartCommand;
  /** This process among those that run workflows. */
  readonly runnerId: string;
}

/** Runs the workflows of one Pi session, one at a time; each is a durable row from its start to its end. */
export class WorkflowRuntime {
  readonly #options: WorkflowRuntimeOptions;
  #workplace: Workplace | undefined;
  #runner: WorkflowRunner | undefined;
  #seenSeq = 0;
  #cancelLaunch: (() => void) | undefined;
  /** Whether the turn still runs in which the agent started the run. */
  #inStartingTurn = false;
  #reconciled = false;
  #stopRenewing: (() => void) | undefined;
  /** The run that the last settlement held, until somebody tells what that abort was. */
  #heldRunId: string | undefined;

  constructor(options: WorkflowRuntimeOptions) {
    this.#options = options;
  }

  /** The workflows that can be started here, and the files that cannot be used, with the reason. */
  list(): readonly ListedDefinition[] {
    return listDefinitions(this.#place().folders);
  }

  /**
   * Queues a run and returns once it is durable; what is wrong with its definition or input shows later.
   * Throws DEFINITION_NOT_FOUND for a name that no file has, and INVALID_ARGUMENT while the session works on another run.
   */
  start(name: string, input: unknown): RunRecord {
    const definition = findDefinition(name, this.#place().folders);
    const runId = newRunId(name, this.#options.now(), this.#options.newId());
    const { status, run } = this.#store().enqueueWorkflowRun({
      runId,
      workflowRef: name,
      workflowPath: definition.path,
      workflowSourceJson: definition.text,
      definitionDigest: sha256(definition.text),
      inputJson: JSON.stringify(input ?? {}),
      launchOptionsJson: "{}",
      originSessionId: this.#options.session().id,
    });
    if (status !== "queued") throw busyWith(run.runId);
    this.#inStartingTurn = this.#options.session().gate.isTurnLive;
    // The tool's result goes first: whatever the launch meets, `start` was reported.
    this.#cancelLaunch?.();
    this.#cancelLaunch = this.#options.after(0, () => {
      this.#options.session().attempt("launching a workflow", () => this.#activate());
    });
    return run;
  }

  /** A person starts a run, which also ends the silence after their Escape. Throws as `start` does. */
  startByUser(name: string, input: unknown): RunRecord {
    const run = this.start(name, input);
    this.#options.session().gate.userReturned();
    return run;
  }

  /** The run with the id, or this session's latest. Throws INVALID_ARGUMENT when there is none. */
  status(runId?: string): RunRecord {
    const originSessionId = this.#options.session().id;
    const store = this.#store();
    const run =
      runId === undefined ? store.listWorkflowRuns({ originSessionId, limit: 1 })[0] : store.getWorkflowRun(runId);
    if (run !== undefined) return run;
    const message = runId === undefined ? "No workflow was started in this session." : `There is no run ${runId}.`;
    throw new DeferredTurnsError({ code: "INVALID_ARGUMENT", message, path: "/runId" });
  }

  /** The agent ends its step well. Returns the id of the run. */
  complete(result: string): string {
    const runner = this.#active();
    runner.complete(result);
    return runner.runId;
  }

  /** The agent gives its step up: the run fails, and the turn is stopped. Returns the id of the run. */
  fail(reason: string): string {
    const runner = this.#active();
    runner.fail(reason);
    return runner.runId;
  }

  /** The agent cancels the run from its own turn, which is stopped. Returns the id of the run. */
  cancelByAgent(reason: string | null): string {
    this.#activate();
    const runner = this.#active();
    runner.cancelByAgent(reason);
    return runner.runId;
  }

  /** A person cancels the session's open run: it is over, and the agent is told nothing. Returns the id of the run. */
  cancelByUser(): string {
    const store = this.#store();
    const { runId, workflowRef } = this.#openRun();
    store.transaction(() => {
      store.finishWorkflowRun({ runId, status: "cancelled", errorCode: USER_CANCELLED });
      store.recordRunEvent({
        runId,
        workflowRef,
        type: "runEnded",
        payload: { status: "cancelled", event: USER_CANCELLED },
      });
    });
    this.#dismiss(runId);
    return runId;
  }

  /** A person pauses the run: it is held until they resume it, and the agent is told nothing. Returns the id of the run. */
  pause(): string {
    const { runId } = this.#openRun();
    this.#store().holdWorkflowRun({ runId });
    this.#heldRunId = undefined;
    this.#dismiss(runId);
    return runId;
  }

  /** A person lets the run go on, with the answer if it waits for one. Returns the id of the run. */
  resume(answer: string): string {
    requireTrust(this.#place());
    if (this.#runner !== undefined) throw busyWith(this.#runner.runId);
    const { runId, workflowRef } = this.#openRun();
    const store = this.#store();
    const { waiting } = readHistory(store, runId).progress;
    if (waiting !== undefined && answer === "") {
      const message = `The run ${runId} waits for an answer; give it: /workflow resume ANSWER.`;
      throw new DeferredTurnsError({ code: "INVALID_ARGUMENT", message });
    }
    store.transaction(() => {
      if (store.resumeWorkflowRun({ runId }) !== "resumed") throw busyWith(runId);
      if (waiting !== undefined) {
        const payload = { type: "stepCompleted", nodeId: waiting, result: storedResult(answer) };
        store.recordRunEvent({ runId, workflowRef, type: "stepCompleted", payload });
      }
    });
    this.#options.session().gate.userReturned();
    this.#activate();
    return runId;
  }

  /** The session is bound: what it left unfinished goes on, unless a person must act first. */
  sessionStarted(workplace: Workplace): void {
    this.#workplace = workplace;
    this.#reconcile();
    this.#activate();
  }

  /** Pi is about to start a turn for a message with these details. */
  turnStarting(details: unknown): void {
    this.#runner?.turnStarting(details);
  }

  /** A turn settled. Escape in a workflow's turn holds its run; a run that the turn queued may not have been launched yet. */
  settled(cause: SettlementCause): void {
    const runId = this.#runner?.runId;
    this.#heldRunId = this.#runner?.settled(cause) === "held" ? runId : undefined;
    this.#inStartingTurn = false;
    this.#listen();
    this.#activate();
  }

  /** A sync pass: takes over what a dead process left, hears what a controller asks, and tries again what failed. */
  pass(): void {
    this.#reconcile();
    this.#tellHeld();
    this.#listen();
    if (this.#runner === undefined) this.#activate();
    else this.#runner.advance();
  }

  /** The session closes: the run waits, parked, for the session's next start. */
  sessionClosing(): void {
    this.#cancelLaunch?.();
    this.#runner?.park();
    // The closing's own abort looked like Escape: the run goes on when the session does.
    const runId = this.#heldRunId;
    if (runId === undefined || !this.#options.session().gate.abortedByClosing) return;
    const store = this.#store();
    store.transaction(() => {
      store.resumeWorkflowRun({ runId });
      store.parkWorkflowRun({ runId });
    });
  }

  #place(): Workplace {
    if (this.#workplace !== undefined) return this.#workplace;
    throw new DeferredTurnsError({
      code: "INVALID_ARGUMENT",
      message: "Workflows run in a session, and none is open.",
    });
  }

  #store(): ControllerStore {
    return this.#options.session().store();
  }

  #active(): WorkflowRunner {
    if (this.#runner !== undefined) return this.#runner;
    const message = "No workflow run is active in this session.";
    throw new DeferredTurnsError({ code: "INVALID_ARGUMENT", message });
  }

  /** The session's run that has not ended: the active one, or else the latest that is parked. */
  #openRun(): RunRecord {
    const originSessionId = this.#options.session().id;
    const store = this.#store();
    const run =
      store.getActiveWorkflowRun(originSessionId) ??
      store.listWorkflowRuns({ originSessionId, statuses: ["parked"], limit: 1 })[0];
    if (run !== undefined) return run;
    throw new DeferredTurnsError({ code: "INVALID_ARGUMENT", message: "No workflow run of this session is open." });
  }

  #dismiss(runId: string): void {
    if (this.#runner?.runId !== runId) return;
    const hadTurn = this.#runner.dismissed();
    if (hadTurn) this.#options.session().stopTurnQuietly();
  }

  /** Brings intents and runs in line with durable state, once in a session's life; a store that fails is asked again. */
  #reconcile(): void {
    const session = this.#options.session();
    // An intent that a reload found unsaved is stored first: its run may have ended meanwhile.
    if (this.#reconciled || this.#workplace === undefined || session.hasUnsaved()) return;
    reconcile(session);
    this.#requeueParked();
    this.#reconciled = true;
  }

  /** The abort was no closing's own, since the session lives on. */
  #tellHeld(): void {
    if (this.#heldRunId === undefined) return;
    const message = `The workflow run ${this.#heldRunId} is held since you pressed Escape; /workflow resume lets it go on, /workflow cancel ends it.`;
    this.#heldRunId = undefined;
    this.#options.session().notify(message, "info");
  }

  /** Hears what a controller asks of the run. */
  #listen(): void {
    const runner = this.#runner;
    if (runner === undefined) return;
    const { request, lastSeq } = lookForInterrupt(this.#store(), runner.runId, this.#seenSeq);
    this.#seenSeq = lastSeq;
    if (request !== undefined) runner.interruptedByController(request.reason);
  }

  /** A run that the last closing of the session parked is queued again. One that is held or waits is a person's to resume. */
  #requeueParked(): void {
    const store = this.#store();
    const originSessionId = this.#options.session().id;
    if (!this.#place().trusted) return;
    const parked = store.listWorkflowRuns({ originSessionId, statuses: ["parked"], limit: 100 });
    // A history that cannot be read is reported, and hinders no other run.
    const isReady = (runId: string): boolean =>
      !store.isWorkflowRunHeld(runId) && readHistory(store, runId).progress.waiting === undefined;
    const ready = parked.find(({ runId }) =>
      this.#options.session().attempt(`looking into the parked run ${runId}`, () => isReady(runId)),
    );
    if (ready !== undefined) store.resumeWorkflowRun({ runId: ready.runId });
  }

  /** Claims the session's open run, if no other process works on it, and goes on with it. */
  #activate(): void {
    if (this.#runner !== undefined || this.#workplace?.trusted !== true) return;
    const open = this.#store().getActiveWorkflowRun(this.#options.session().id);
    if (open !== undefined && isFree(open, this.#options.now())) this.#claim(open.runId);
  }

  #claim(runId: string): void {
    const { settings, runnerId, newId, session } = this.#options;
    const claimToken = newId();
    const store = this.#store();
    let intentId: string | undefined;
    const claimed = undoing(
      () =>
        store.transaction(() => {
          const claim = store.claimWorkflowRun({ runId, runnerId, claimToken, leaseMs: settings.queueLeaseMs });
          if (claim.status !== "claimed") return undefined;
          // Not before the claim: until then another process may add to the history.
          const history = readHistory(store, runId);
          if (claim.lostClaimToken !== null) intentId = this.#recordTakeover(claim.run, history, claim.lostClaimToken);
          return { run: claim.run, history };
        }),
      () => intentId !== undefined && session().forget(intentId),
    );
    if (claimed === undefined) return;
    const { run, history } = claimed;
    const claimedRun = new ClaimedRun(run, claimToken, settings.queueLeaseMs);
    const parts = {
      session: session(),
      ...guardedCallbacks(this.#options, session()),
      cwd: this.#place().cwd,
      inStartingTurn: () => this.#inStartingTurn,
      onGone: () => this.#gone(),
    };
    const runner = new WorkflowRunner(parts, claimedRun, history.progress);
    this.#runner = runner;
    this.#seenSeq = history.lastSeq;
    this.#stopRenewing = this.#options.every(settings.queueRenewMs, () => {
      session().attempt("renewing the claim of a run", () => runner.renew());
    });
    // What a controller asked before the claim comes first: a run that is to be stopped prompts nobody.
    if (history.interrupt === undefined) runner.launch();
    else runner.interruptedByController(history.interrupt.reason);
  }

  /** An agent's turn was cut off with its process: the intent joins the takeover's own transaction. Returns its id. */
  #recordTakeover(run: RunRecord, history: RunHistory, lostClaimToken: string): string | undefined {
    const { attempt } = history.progress;
    const decision = decideTurnIntent({ kind: "claimLost" });
    if (attempt?.by !== "agent" || decision.action !== "create") return undefined;
    const session = this.#options.session();
    const observed = { observedState: run.status, reason: "another process took the run over" };
    const draft = claimLossDraft(run, attempt, { decision, targetSessionId: session.id, lostClaimToken, ...observed });
    const outcome = session.ensure(draft, { eligible: false });
    if (outcome.status === "unsaved") throw notTakenOver(run.runId, outcome.reason);
    return draft.intentId;
  }

  #gone(): void {
    this.#stopRenewing?.();
    this.#stopRenewing = undefined;
    this.#runner = undefined;
  }
}

function undoing<Result>(work: () => Result, undo: () => unknown): Result {
  try {
    return work();
  } catch (error) {
    undo();
    throw error;
  }
}

/** Whether a claim has a chance, so that a pass takes no lock while another process works on the run. */
function isFree({ status, claimExpiresAt }: RunRecord, now: number): boolean {
  const mayOutlive = now + LONGEST_LEASE_MS;
  return status === "queued" || claimExpiresAt === null || claimExpiresAt <= now || claimExpiresAt > mayOutlive;
}

function notTakenOver(runId: string, reason: string): DeferredTurnsError {
  const message = `The run ${runId} was not taken over, since the interruption of its turn could not be stored: ${reason}`;
  return new DeferredTurnsError({ code: "STORE_FAILED", message });
}

function busyWith(runId: string): DeferredTurnsError {
  const message = `This session already works on the run ${runId}; wait for its end, or cancel it first.`;
  return new DeferredTurnsError({ code: "INVALID_ARGUMENT", message });
}

/** A run id that a person can read and sort: when, what, and eight random characters. */
function newRunId(name: string, now: number, id: string): string {
  const stamp = new Date(now).toISOString().replace(/[-:]|\.\d{3}/g, "");
  return `${stamp}-${name}-${id.slice(0, 8)}`;
}
