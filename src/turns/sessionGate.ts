import type { ProcessMemory } from "./processMemory.ts";

/** Print and json processes wait for a run that a settled handler started, and exit otherwise; the others live on. */
export type SessionLife = "resident" | "oneShot";

/** How a turn ended, as far as Pi lets us tell: every abort that is not ours counts as the user's. */
export type SettlementCause = "completed" | "ownAbort" | "userAbort";

type GateMemory = Pick<ProcessMemory, "silencedSessions" | "ownAborts" | "runs">;

/**
 * Right after a start and right after a settlement Pi's handlers may still be at work, so a session is open only
 * from the next idle pass on.
 */
type Phase = "starting" | "running" | "settled" | "open" | "closed";

/** How many idle passes may go by after a prompt or a session change was announced before it counts as called off. */
const PREFLIGHT_PASSES = 2;

/** How many idle passes a message that Pi accepted may take until its run starts. */
const DEPARTURE_PASSES = 2;

/**
 * Decides when a message of ours that starts a turn may be handed to Pi. It knows what the events told; whether
 * something runs right now is the session's own answer.
 */
export class SessionGate {
  readonly #sessionId: string;
  readonly #life: SessionLife;
  readonly #memory: GateMemory;
  #phase: Phase = "starting";
  #lastSettlement: SettlementCause | undefined;
  #abortedByClosing = false;
  #preflightPasses: number | undefined;
  #departurePasses: number | undefined;

  /** @internal A coordinator has one. */
  constructor(options: {
    readonly sessionId: string;
    readonly life: SessionLife;
    readonly memory: GateMemory;
  }) {
    this.#sessionId = options.sessionId;
    this.#life = options.life;
    this.#memory = options.memory;
  }

  /** Whether the session is over: nothing is sent any more. */
  get isClosed(): boolean {
    return this.#phase === "closed";
  }

  /** Whether the user pressed Escape and has not spoken since. */
  get isSilenced(): boolean {
    return this.#memory.silencedSessions.has(this.#sessionId);
  }

  /** Whether a turn runs that an abort of ours could end. */
  get isTurnLive(): boolean {
    return this.#phase === "running";
  }

  /** A prompt that is not an extension's arrived; it may still be handled or refused before a run starts. */
  inputArrived(): void {
    this.#preflightPasses = 0;
  }

  /** Pi is about to leave this session for another, unless somebody forbids it. */
  switchAnnounced(): void {
    this.#preflightPasses = 0;
  }

  /** The user gave a prompt that starts a run, or a command of ours: the silence after Escape ends. */
  userReturned(): void {
    this.#memory.silencedSessions.delete(this.#sessionId);
  }

  /** A run of the agent began. */
  runStarted(): void {
    this.#memory.runs.set(this.#sessionId, (this.#memory.runs.get(this.#sessionId) ?? 0) + 1);
    this.#memory.ownAborts.delete(this.#sessionId);
    this.#preflightPasses = undefined;
    this.#departurePasses = undefined;
    if (this.#phase !== "closed") this.#phase = "running";
  }

  /** Flags the abort that follows as ours. Without a live turn there is nothing that the flag could be cleared by. */
  ownAbortComing(): void {
    if (this.#phase === "running") this.#memory.ownAborts.add(this.#sessionId);
  }

  /** The turn settled. An abort that was not ours silences the session until the user's next message. */
  settled(aborted: boolean): SettlementCause {
    const cause = aborted ? (this.#isOwnAbort() ? "ownAbort" : "userAbort") : "completed";
    this.#lastSettlement = cause;
    if (this.#phase !== "closed") this.#phase = "settled";
    if (cause === "userAbort") this.#memory.silencedSessions.add(this.#sessionId);
    return cause;
  }

  /** One sync pass went by in an idle session. The first one ends the wait for a prompt given at start. */
  idlePassed(): void {
    if (this.#preflightPasses !== undefined) {
      this.#preflightPasses += 1;
      if (this.#preflightPasses < PREFLIGHT_PASSES) return;
      this.#preflightPasses = undefined;
    }
    if (this.#departurePasses !== undefined) {
      this.#departurePasses += 1;
      if (this.#departurePasses >= DEPARTURE_PASSES) this.#departurePasses = undefined;
    }
    if (this.#phase === "starting" || this.#phase === "settled") this.#phase = "open";
  }

  /** A message of ours that starts a turn was handed to Pi: nothing more until its run has started. */
  departed(): void {
    this.#departurePasses = 0;
  }

  /**
   * The session closes. Quitting and leaving abort a turn just before, and that looks like Escape; without an idle pass
   * between, it was no person's wish, and does not silence the session's next life. A reload aborts nothing.
   */
  closing(how: "left" | "reloaded"): void {
    const mayHaveAborted = how === "left" && this.#phase === "settled";
    this.#abortedByClosing = mayHaveAborted && this.#lastSettlement === "userAbort";
    if (this.#abortedByClosing) this.#memory.silencedSessions.delete(this.#sessionId);
    this.#phase = "closed";
  }

  /** Whether the turn before was aborted by the session's own closing, not by a person. */
  get abortedByClosing(): boolean {
    return this.#abortedByClosing;
  }

  /** Whether a message may be handed to Pi now, provided that the session is idle. */
  mayDepart(): boolean {
    return this.#life === "resident" && this.#phase === "open" && this.#isClear();
  }

  /** Whether the settled handler itself may: only where the process would exit without it. */
  mayDepartInSettlement(): boolean {
    return this.#life === "oneShot" && this.#phase === "settled" && this.#isClear();
  }

  /** Whether a message that was lost may be tried again: a process that is about to exit tries nothing twice. */
  get mayRetry(): boolean {
    return this.#life === "resident";
  }

  /** The flag stays until the next run, so that every binding of the session sees it at this settlement. */
  #isOwnAbort(): boolean {
    return this.#memory.ownAborts.has(this.#sessionId);
  }

  #isClear(): boolean {
    return this.#preflightPasses === undefined && this.#departurePasses === undefined && !this.isSilenced;
  }
}
