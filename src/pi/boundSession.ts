import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { TurnIntentDraft } from "../contracts/draft.ts";
import type { ControllerStore } from "../store/controllerStore.ts";
import { ReachableStore } from "../store/reachableStore.ts";
import { DeferredTurnCoordinator, type Outlook } from "../turns/coordinator.ts";
import type { NaturalMessageTypes } from "../turns/deliveredScan.ts";
import { codeOf, type DiagnosticReport, sentenceOf } from "../turns/diagnostics.ts";
import { type AbortOutcome, type AbortSteps, abortTurn } from "../turns/interruption.ts";
import type { NaturalMessage } from "../turns/naturalQueue.ts";
import type { EnsureOptions, EnsureOutcome } from "../turns/obligations.ts";
import {
  type CreateDecision,
  decideTurnIntent,
  fallbackBecomesEligible,
  type RunEnding,
  type TurnEvent,
} from "../turns/policy.ts";
import type { ProcessMemory } from "../turns/processMemory.ts";
import type { SettlementCause } from "../turns/sessionGate.ts";
import { type PiHost, PiSession } from "./piSession.ts";
import type { DeferredTurnsSettings } from "./settings.ts";
import type { Every } from "./timer.ts";

/** What a session is bound with; shared by all sessions of one extension instance. */
export interface BindingParts {
  readonly pi: PiHost;
  readonly openStore: (cwd: string) => ControllerStore;
  readonly naturalTypes: NaturalMessageTypes;
  readonly settings: DeferredTurnsSettings;
  readonly memory: ProcessMemory;
  readonly now: () => number;
  readonly newClaimToken: () => string;
  readonly every: Every;
  readonly report: (report: DiagnosticReport) => void;
  /** The host's share of a sync pass. */
  readonly onPass: (session: BoundSession) => void;
  /** The host's look at the session after a sync pass. */
  readonly onPassed: (session: BoundSession) => void;
}

/** Why a turn is stopped, and what the run must remember of it. */
export interface Interruption {
  /** What happened, in the words of the event table (the specification, section Source events). */
  readonly event: TurnEvent;
  /** Builds the intent with the cause that the event table gives: `draftTurnIntent` with the run's facts. */
  readonly draft: (decision: CreateDecision) => TurnIntentDraft;
  /** Writes on the active run why it is being stopped. */
  readonly recordProvenance: () => void;
  /** Whether the workflow's turn runs now. Where none does, nothing is aborted: the turn that runs may be the user's own. */
  readonly turn: "live" | "none";
  /** The change of durable state that belongs to the interruption; it and the intent are one transaction. */
  readonly transition?: (store: ControllerStore) => void;
  /** How the run ends by this interruption, if it does. */
  readonly ending?: RunEnding;
}

/** How a run ended, and the change of durable state that says so. */
export interface Ending extends RunEnding {
  /** The draft of the interruption that led here, or of the end itself: the same source event, told anew. */
  readonly draft: TurnIntentDraft;
  /** Records the end in the store; it and the intent are one transaction. */
  readonly transition: (store: ControllerStore) => void;
}

/** One Pi session under the guarantee, from its start to its shutdown. */
export class BoundSession {
  readonly #parts: BindingParts;
  readonly #session: PiSession;
  readonly #store: ReachableStore;
  readonly #coordinator: DeferredTurnCoordinator;
  #stopTimer: (() => void) | undefined;

  /** @internal Sessions are bound by `bindDeferredTurns`. */
  constructor(parts: BindingParts, context: ExtensionContext) {
    this.#parts = parts;
    this.#session = new PiSession(parts.pi, context);
    this.#store = new ReachableStore(() => parts.openStore(context.cwd));
    this.#coordinator = new DeferredTurnCoordinator({
      ...parts,
      ...parts.settings,
      store: () => this.#store.get(),
      session: this.#session,
      life: context.mode === "print" || context.mode === "json" ? "oneShot" : "resident",
      isHeld: (runId) => this.#store.get().isWorkflowRunHeld(runId),
      tellLost: (draft, reason) => this.#tellLost(draft, reason),
    });
    // A process that is about to exit sends nothing in a pass, but it renews claims and hears controllers too.
    this.#stopTimer = parts.every(parts.settings.syncIntervalMs, () => this.pass());
  }

  /** Pi's id of the session: the `targetSessionId` of its intents, 1 to 512 characters. */
  get id(): string {
    return this.#session.id;
  }

  /** What the session may take now. A host asks `isTurnLive` before it stops a turn. */
  get gate(): DeferredTurnCoordinator["gate"] {
    return this.#coordinator.gate;
  }

  /** What the session is known to owe without asking the store. */
  get outlook(): Outlook {
    return this.#coordinator.outlook;
  }

  /** The session's store. Throws a DeferredTurnsError while it is out of reach. */
  store(): ControllerStore {
    return this.#store.get();
  }

  /** Opens the store now, so that a person learns at once when it cannot be used, or not safely. */
  greet(): void {
    try {
      for (const { message } of this.#store.get().findings) this.notify(message, "warning");
    } catch (error) {
      this.#parts.report({ code: codeOf(error), message: sentenceOf(error) });
      const meaning = "Until the store can be used, no workflow runs here and no later turn is guaranteed.";
      this.#session.notify(`${sentenceOf(error)} ${meaning}`, "error");
    }
  }

  /** Stops the active turn for a workflow event, in the specification's order. The abort happens whatever fails before it. */
  interrupt(interruption: Interruption): AbortOutcome {
    const decision = decideTurnIntent(interruption.event);
    if (decision.action === "create") {
      const outcome = abortTurn(this.#abortSteps(interruption, decision), this.#parts.report);
      if (outcome.draft === undefined) this.#warn("The interruption of a workflow turn could not be described.");
      return outcome;
    }
    if (interruption.turn === "live") this.stopTurnQuietly();
    return { draft: undefined, ensured: undefined };
  }

  /** Stops the turn that runs now for a person's own wish: no intent, and no silence as after Escape either. */
  stopTurnQuietly(): void {
    this.attempt("stopping a turn", () => {
      if (!this.#coordinator.gate.isTurnLive) return;
      this.#coordinator.gate.ownAbortComing();
      this.#session.abort();
    });
  }

  /** Does something that must not throw into Pi; what it throws becomes a diagnostic. */
  attempt<Result>(doing: string, work: () => Result): Result | undefined {
    try {
      return work();
    } catch (error) {
      this.#parts.report({ code: codeOf(error), message: `While ${doing}: ${sentenceOf(error)}` });
      return undefined;
    }
  }

  /** Keeps an error as a diagnostic. */
  report(error: unknown): void {
    this.#parts.report({ code: codeOf(error), message: sentenceOf(error) });
  }

  /**
   * Terminal handling where no turn is stopped: records the end of a run and the state of its intent in one transaction.
   * A store that fails is tried again at every pass; when the second attempt fails, the person is told that the successor
   * turn is not guaranteed.
   */
  endRun(ending: Ending): EnsureOutcome {
    const { draft, transition } = ending;
    return this.#coordinator.ensure(draft, { eligible: fallbackBecomesEligible(ending), transition });
  }

  /**
   * Stores the promise of an interruption that stops no turn here. What belongs into its transaction is the `transition`;
   * a host that calls this inside a transaction of its own calls `forget` when that one is rolled back.
   */
  ensure(draft: TurnIntentDraft, options: EnsureOptions): EnsureOutcome {
    return this.#coordinator.ensure(draft, options);
  }

  /** Forgets an intent whose row went with a transaction that was rolled back. */
  forget(intentId: string): void {
    this.#coordinator.forget(intentId);
  }

  /** Whether an intent of this process, with the change of durable state that belongs to it, still waits for the store. */
  isUnsaved(intentId: string): boolean {
    return this.#coordinator.isUnsaved(intentId);
  }

  /** Whether any intent of this process still waits for the store: what the store says of the session is not all yet. */
  hasUnsaved(): boolean {
    return this.#coordinator.hasUnsaved();
  }

  /** Tells the person at the terminal, where there is one. */
  notify(message: string, level: "info" | "warning" | "error"): void {
    this.attempt("telling the user", () => this.#session.notify(message, level));
  }

  /**
   * Takes a workflow prompt or a result presentation, which resolves its run's intent if there is one (the
   * specification, section Natural delivery). Returns at once: the message leaves when the session is idle, is
   * dropped when it is no longer current, and never throws.
   */
  deliver(natural: NaturalMessage): void {
    this.#coordinator.deliver(natural);
  }

  /** Looks for sent messages among the session's entries. The binding calls it; a host need not. */
  observe(): void {
    this.#coordinator.observe();
  }

  /** Tells that Pi settled, and says how the turn ended. The binding calls it; a host listens with `onSettled`. */
  settled(aborted: boolean): SettlementCause {
    return this.#coordinator.settled(aborted);
  }

  /**
   * Ends a settlement: a process that would exit now lets one message depart. The binding calls it; a host need not.
   */
  afterSettlement(): void {
    this.#coordinator.afterSettlement();
  }

  /**
   * One sync pass: checks the store's file, and lets at most one message depart. The binding's timer calls it; a test
   * may.
   */
  pass(): void {
    this.#checkStore();
    this.attempt("the host's sync pass", () => this.#parts.onPass(this));
    this.#coordinator.pass();
    this.attempt("showing what is pending", () => this.#parts.onPassed(this));
  }

  /**
   * Stops the timer and closes the store; what is pending stays pending. The binding calls it at `session_shutdown`.
   */
  close(): void {
    this.#coordinator.gate.closing("left");
    this.#stopTimer?.();
    this.#stopTimer = undefined;
    this.#store.close();
  }

  #abortSteps(
    { draft, recordProvenance, turn, transition, ending }: Interruption,
    decision: CreateDecision,
  ): AbortSteps {
    const eligible = decision.eligible === "now" || (ending !== undefined && fallbackBecomesEligible(ending));
    const stops = turn === "live";
    return {
      recordProvenance,
      identify: () => draft(decision),
      persist: (built) => this.#coordinator.ensure(built, { eligible, ...(transition && { transition }) }),
      recordSystemAbort: () => stops && this.#coordinator.gate.ownAbortComing(),
      abort: () => stops && this.#session.abort(),
    };
  }

  #tellLost({ intentId, runId }: TurnIntentDraft, reason: string): void {
    const why = `The controller store could not keep the promise of a later turn for workflow run ${runId}: ${reason}`;
    this.#warn(why, { intentId, runId });
  }

  /** Tells the person that the successor turn is not guaranteed. */
  #warn(message: string, subject: Pick<DiagnosticReport, "intentId" | "runId"> = {}): void {
    this.#parts.report({ code: "GUARANTEE_LOST", message, ...subject });
    this.notify(
      `${message} The agent may not learn how the run ended; tell it, or ask it to inspect the run.`,
      "error",
    );
  }

  #checkStore(): void {
    this.attempt("checking the store's file", () => {
      if (this.#store.check() === "same") return;
      const message = "The controller store's file was deleted or replaced while it was open; it was opened again.";
      this.#parts.report({ code: "STORE_REPLACED", message });
      const remedy =
        "What only the old file held is gone with it: if you miss a run, put the file back and start Pi again.";
      this.notify(`${message} ${remedy}`, "warning");
      this.#coordinator.storeReplaced();
    });
  }
}
