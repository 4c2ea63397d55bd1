import type { TurnIntentResolution, WorkflowTurnIntent } from "../../generated/records.ts";
import type { TurnIntentDraft } from "../contracts/draft.ts";
import { withTurnIntentId } from "../contracts/messageDetails.ts";
import { parseTimestamp } from "../contracts/timestamp.ts";
import { fallbackMessage } from "../contracts/wording.ts";
import type { NaturalMessageTypes } from "./deliveredScan.ts";
import { Deliveries } from "./deliveries.ts";
import { codeOf, type DiagnosticReport, sentenceOf } from "./diagnostics.ts";
import { judgeFallback } from "./fallbackEligibility.ts";
import { type NaturalMessage, NaturalQueue, type WaitingMessage } from "./naturalQueue.ts";
import { type EnsureOptions, type EnsureOutcome, Obligations, type StoreAccess } from "./obligations.ts";
import type { ProcessMemory } from "./processMemory.ts";
import type { SendOptions, TurnSession } from "./session.ts";
import { SessionGate, type SessionLife, type SettlementCause } from "./sessionGate.ts";

const FALLBACK_OPTIONS: SendOptions = { deliverAs: "followUp", triggerTurn: true };

/** How many eligible intents one look at the store brings. */
const PAGE = 20;

/** What a coordinator works with; time, randomness and memory are injected. */
export interface CoordinatorOptions {
  /** Gives the open store, or throws a DeferredTurnsError while it is out of reach; called anew for every use. */
  readonly store: StoreAccess;
  /** The session that receives the turns. */
  readonly session: TurnSession;
  /** Whether the process lives on after a settlement, or exits. */
  readonly life: SessionLife;
  /** What the process remembers: one for all coordinators in it, from `processMemory()`. */
  readonly memory: ProcessMemory;
  /** The host's own message types that resolve intents. */
  readonly naturalTypes: NaturalMessageTypes;
  /** Whether a run is held since the user pressed Escape: its intents wait for an explicit resume. */
  readonly isHeld: (runId: string) => boolean;
  /** How long a delivery claim lives unrenewed, milliseconds (1 to 600,000). */
  readonly deliveryLeaseMs: number;
  /** How often an intent's message is sent in a process before it waits for a turn that succeeds. */
  readonly maxSends: number;
  /** The time, epoch milliseconds. */
  readonly now: () => number;
  /** A new random token, 1 to 512 characters, for every attempt to deliver. */
  readonly newClaimToken: () => string;
  /** Takes what goes wrong without stopping anything. Must not throw. */
  readonly report: (report: DiagnosticReport) => void;
  /** Called once when the promise of an interruption could not be kept durably: a person must know. */
  readonly tellLost: (draft: TurnIntentDraft, reason: string) => void;
}

/**
 * What a session is known to owe without asking the store: the intents that this process keeps in mind, and how many
 * eligible ones the last look at the store brought. Where it does not change, nor does the number of pending intents, but
 * by what other processes do.
 */
export interface Outlook {
  /** How many intents this process keeps in mind. */
  readonly kept: number;
  /** How many eligible ones the last look at the store brought, at most a page of 20. */
  readonly eligible: number;
}

/** A message that could depart now, and since when it could. */
type Departure =
  | { readonly kind: "natural"; readonly since: number; readonly waiting: WaitingMessage }
  | { readonly kind: "fallback"; readonly since: number; readonly intent: WorkflowTurnIntent };

/**
 * Brings each intent of one session to exactly one later turn: the next workflow message if one comes, a factual
 * fallback otherwise (the specification, sections Natural delivery, Fallback delivery and Delivery recovery).
 * At most one message that starts a turn leaves per settled, idle session. No method throws for what the store or the
 * session does; what goes wrong is reported.
 */
export class DeferredTurnCoordinator {
  readonly #options: CoordinatorOptions;
  readonly #gate: SessionGate;
  readonly #obligations: Obligations;
  readonly #deliveries: Deliveries;
  readonly #queue = new NaturalQueue();
  readonly #departed = new Map<string, WaitingMessage>();
  readonly #startedAt: number;
  #eligible = 0;

  constructor(options: CoordinatorOptions) {
    const { store, session, memory, report } = options;
    this.#options = options;
    this.#startedAt = options.now();
    this.#gate = new SessionGate({ sessionId: session.id, life: options.life, memory });
    this.#obligations = new Obligations({
      store,
      memory,
      report,
      tellLost: options.tellLost,
      findDelivered: (intentId) => this.#deliveries.findDelivered(intentId),
    });
    this.#deliveries = new Deliveries({
      ...options,
      gate: this.#gate,
      obligations: this.#obligations,
      types: options.naturalTypes,
    });
  }

  /** What the session may take now; Pi's events are told to it. */
  get gate(): Omit<SessionGate, "settled" | "departed" | "idlePassed"> {
    return this.#gate;
  }

  /** What the session is known to owe without asking the store. */
  get outlook(): Outlook {
    return { kept: this.#obligations.count(this.#options.session.id), eligible: this.#eligible };
  }

  /** Stores the promise of an interruption, or keeps it in mind until the store can take it. */
  ensure(draft: TurnIntentDraft, options: EnsureOptions): EnsureOutcome {
    return this.#obligations.ensure(draft, options);
  }

  /** Forgets an obligation whose row went with a transaction that was rolled back. */
  forget(intentId: string): void {
    this.#obligations.met(intentId);
  }

  /** Whether an intent of this process waits for the store to take it. */
  isUnsaved(intentId: string): boolean {
    return this.#obligations.isUnsaved(intentId);
  }

  /** Whether anything that this session owes waits for the store to take it. */
  hasUnsaved(): boolean {
    return this.#obligations.hasUnsaved(this.#options.session.id);
  }

  /** The store's file was replaced and opened anew: what this process still owes is written into it. */
  storeReplaced(): void {
    this.#guard("re-ensuring intents", () => this.#obligations.storeReplaced(this.#options.session.id));
  }

  /**
   * Takes a workflow prompt or a result presentation. One that starts no turn goes to Pi unchanged and at once; one that
   * does waits until the session is idle and resolves the run's intent, if there is one.
   */
  deliver(natural: NaturalMessage): void {
    this.#guard("delivering a workflow message", () => {
      if (natural.options.triggerTurn !== true) return this.#options.session.send(natural.message, natural.options);
      const isCurrent = (): boolean | undefined =>
        this.#guard("asking whether a workflow message is current", natural.isCurrent);
      this.#queue.add({ ...natural, isCurrent }, this.#options.now());
      if (!this.#gate.mayDepart()) return;
      this.#obligations.retry(this.#options.session.id);
      this.#depart();
    });
  }

  /** Looks for sent messages among the session's entries: call it where an entry can first be seen. */
  observe(): void {
    this.#guard("looking for sent messages", () => this.#deliveries.observe());
  }

  /** The sync pass: stores what is unsaved, looks for what was sent, and lets at most one message depart. */
  pass(): void {
    this.#guard("a sync pass", () => {
      if (this.#gate.isClosed) return;
      this.#obligations.retry(this.#options.session.id);
      this.#deliveries.observe();
      for (const intentId of this.#deliveries.takeLost()) this.#restore(intentId);
      if (this.#options.session.isIdle()) this.#gate.idlePassed();
      if (this.#gate.mayDepart()) this.#depart();
      this.#forgetArrived();
    });
  }

  /** Pi settled. Tells how the turn ended, so that the host can act on it before anything departs. */
  settled(aborted: boolean): SettlementCause {
    const cause = this.#gate.settled(aborted);
    this.#guard("a settlement", () => {
      this.#obligations.retry(this.#options.session.id);
      this.#deliveries.observe();
      if (cause === "completed") this.#deliveries.turnCompleted();
      this.#obligations.prune(this.#options.session.id);
    });
    return cause;
  }

  /** The last act of a settled handler: a process that would exit now lets one message depart, the others wait for a pass. */
  afterSettlement(): void {
    this.#guard("a settlement", () => {
      if (this.#gate.mayDepartInSettlement()) this.#depart();
    });
  }

  /** Lets the oldest message that is ready leave. Unsaved obligations were tried again just before. */
  #depart(): void {
    if (!this.#options.session.isIdle() || this.#deliveries.hasUnseen()) return;
    for (const departure of this.#departures()) {
      const left = this.#guard("sending a successor message", () =>
        departure.kind === "natural" ? this.#departNatural(departure.waiting) : this.#departFallback(departure.intent),
      );
      if (left === true) return;
    }
  }

  /** What could depart, oldest ready first. */
  #departures(): readonly Departure[] {
    const naturals = this.#queue
      .current()
      .map((waiting): Departure => ({ kind: "natural", since: waiting.since, waiting }));
    // A store that cannot be read holds back fallbacks, and no workflow message.
    const ready = this.#guard("looking for eligible intents", () => this.#readyFallbacks()) ?? [];
    const fallbacks = ready.map(
      (intent): Departure => ({
        kind: "fallback",
        since: parseTimestamp(intent.eligibleAt ?? intent.requestedAt),
        intent,
      }),
    );
    return [...naturals, ...fallbacks].sort((a, b) => a.since - b.since);
  }

  /** The first page of the session's eligible intents that has any which may be sent now. */
  #readyFallbacks(): readonly WorkflowTurnIntent[] {
    const page = { targetSessionId: this.#options.session.id, state: "eligible", limit: PAGE } as const;
    for (let after: string | undefined; ; ) {
      const list = this.#options.store().listWorkflowTurnIntents(after === undefined ? page : { ...page, after });
      if (after === undefined) this.#eligible = list.intents.length;
      const ready = list.intents.filter((intent) => this.#mayFallBack(intent));
      if (ready.length > 0 || list.next === undefined) return ready;
      after = list.next;
    }
  }

  #mayFallBack(intent: WorkflowTurnIntent): boolean {
    const verdict = judgeFallback(intent, {
      now: this.#options.now(),
      deliveryLeaseMs: this.#options.deliveryLeaseMs,
      sessionStartedAt: this.#startedAt,
      hosted: this.#obligations.hosts(intent.intentId),
      held: this.#options.isHeld(intent.runId),
      naturalWaiting: this.#queue.hasRun(intent.runId),
      inFlight: this.#deliveries.isInFlight(intent.intentId),
      exhausted: this.#deliveries.isExhausted(intent.intentId),
    });
    return verdict === "ready";
  }

  /** Whether a message left. */
  #departFallback(eligible: WorkflowTurnIntent): boolean {
    const { store, session, newClaimToken, deliveryLeaseMs } = this.#options;
    const claimToken = newClaimToken();
    const [intent] = store().claimEligibleWorkflowTurnIntentsForSession({
      targetSessionId: session.id,
      claimToken,
      leaseMs: deliveryLeaseMs,
      limit: 1,
      intentId: eligible.intentId,
    });
    if (intent === undefined) return false;
    const { tookOver } = intent;
    const message = fallbackMessage(intent);
    const outcome = this.#deliveries.dispatch({
      intent,
      claimToken,
      tookOver,
      resolution: "fallback",
      message,
      options: FALLBACK_OPTIONS,
    });
    return outcome.status === "sent";
  }

  /** Whether a message left. One whose intent another process delivers right now goes on waiting. */
  #departNatural(waiting: WaitingMessage): boolean {
    const { store, session, newClaimToken, deliveryLeaseMs, isHeld } = this.#options;
    const { runId } = waiting.natural;
    const owed = this.#obligations.owedWithoutStore({ runId, sessionId: session.id });
    if (owed !== undefined) {
      if (this.#guard("asking whether a run is held", () => isHeld(runId)) === true) return false;
      return this.#dispatchNatural(waiting, { intent: owed.draft, claimToken: undefined, tookOver: false });
    }
    if (isHeld(runId)) return false;
    const claimToken = newClaimToken();
    const claim = store().claimWorkflowTurnIntentForRun({
      runId,
      targetSessionId: session.id,
      claimToken,
      leaseMs: deliveryLeaseMs,
    });
    if (claim.status === "claimedByOther") return false;
    if (claim.status === "none") return this.#sendPlain(waiting);
    return this.#dispatchNatural(waiting, { intent: claim.intent, claimToken, tookOver: claim.tookOver });
  }

  #dispatchNatural(
    waiting: WaitingMessage,
    claim: {
      readonly intent: Pick<WorkflowTurnIntent, "intentId" | "runId">;
      readonly claimToken: string | undefined;
      readonly tookOver: boolean;
    },
  ): boolean {
    const { kind, message, options } = waiting.natural;
    const outcome = this.#deliveries.dispatch({
      ...claim,
      resolution: kind === "presentation" ? "presentation" : "workflowPrompt",
      message: withTurnIntentId(message, claim.intent.intentId),
      options,
    });
    switch (outcome.status) {
      case "sent":
        this.#queue.remove(waiting);
        this.#departed.set(claim.intent.intentId, waiting);
        return true;
      case "alreadyDelivered":
        return this.#afterDelivery(waiting, outcome.resolution);
      default:
        return false;
    }
  }

  /**
   * The run's intent had its turn already, so this message owes none and goes out as it is: a prompt that was asked anew,
   * say. But a presentation that was delivered is not presented twice.
   */
  #afterDelivery(waiting: WaitingMessage, delivered: TurnIntentResolution): boolean {
    if (waiting.natural.kind !== "presentation" || delivered !== "presentation") return this.#sendPlain(waiting);
    this.#queue.remove(waiting);
    return false;
  }

  #sendPlain(waiting: WaitingMessage): boolean {
    this.#queue.remove(waiting);
    try {
      this.#options.session.send(waiting.natural.message, waiting.natural.options);
    } catch (error) {
      this.#queue.restore(waiting);
      throw error;
    }
    this.#gate.departed();
    return true;
  }

  #restore(intentId: string): void {
    const waiting = this.#departed.get(intentId);
    this.#departed.delete(intentId);
    if (waiting !== undefined) this.#queue.restore(waiting);
  }

  #forgetArrived(): void {
    for (const intentId of this.#departed.keys()) {
      if (!this.#deliveries.isInFlight(intentId)) this.#departed.delete(intentId);
    }
  }

  #guard<Result>(doing: string, work: () => Result): Result | undefined {
    try {
      return work();
    } catch (error) {
      this.#options.report({ code: codeOf(error), message: `While ${doing}: ${sentenceOf(error)}` });
      return undefined;
    }
  }
}
