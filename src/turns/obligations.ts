import type { WorkflowTurnIntent } from "../../generated/records.ts";
import type { TurnIntentDraft } from "../contracts/draft.ts";
import type { ControllerStore } from "../store/controllerStore.ts";
import { codeOf, type DiagnosticReport, sentenceOf } from "./diagnostics.ts";
import type { Obligation, ProcessMemory } from "./processMemory.ts";

/**
 * Whether the durable promise stands: the row it is kept in, or why it could not be written yet. `refused` is for good:
 * the draft itself is at fault, and no later attempt could store it.
 */
export type EnsureOutcome =
  | { readonly status: "stored"; readonly intent: WorkflowTurnIntent }
  | { readonly status: "unsaved" | "refused"; readonly code: string; readonly reason: string };

/** What else belongs into the transaction that stores an intent, and whether the intent is eligible from then on. */
export interface EnsureOptions {
  /** Whether a fallback may follow at once; a natural successor can still be faster. */
  readonly eligible: boolean;
  /** The change of durable state that the intent reports, such as the end of its run. */
  readonly transition?: (store: ControllerStore) => void;
}

/** What the look at a session's entries says of an intent: how it was delivered there, or undefined. */
export type FindDelivered = NonNullable<Parameters<ControllerStore["ensureWorkflowTurnIntent"]>[0]["findDelivered"]>;

/** Errors that no later attempt can mend: the draft is at fault, or the run is another process's now. */
const REFUSALS: ReadonlySet<string> = new Set([
  "CONTRACT_VIOLATION",
  "IDENTITY_CONFLICT",
  "INVALID_ARGUMENT",
  "RUN_CLAIM_LOST",
]);

/** The failed attempts after which a promise counts as not guaranteed: the abort's own, and terminal handling's. */
const FAILURES_UNTIL_TOLD = 2;

/** Access to a store that may be out of reach for a while. Throws a DeferredTurnsError when it is. */
export type StoreAccess = () => ControllerStore;

/**
 * What the interruptions of this process owe: each is written to the store when it happens, tried again with the same
 * id when that failed, and written again into a store that replaced the one it was in.
 */
export class Obligations {
  readonly #store: StoreAccess;
  readonly #memory: Pick<ProcessMemory, "obligations">;
  readonly #findDelivered: FindDelivered;
  readonly #report: (report: DiagnosticReport) => void;
  readonly #tellLost: (draft: TurnIntentDraft, reason: string) => void;
  /** The changes of durable state that wait with their unsaved intents. They belong to this instance, not to the process. */
  readonly #transitions = new Map<string, NonNullable<EnsureOptions["transition"]>>();

  constructor(options: {
    readonly store: StoreAccess;
    readonly memory: Pick<ProcessMemory, "obligations">;
    readonly findDelivered: FindDelivered;
    readonly report: (report: DiagnosticReport) => void;
    /** Called once when the promise of an interruption could not be kept durably. */
    readonly tellLost: (draft: TurnIntentDraft, reason: string) => void;
  }) {
    this.#store = options.store;
    this.#memory = options.memory;
    this.#findDelivered = options.findDelivered;
    this.#report = options.report;
    this.#tellLost = options.tellLost;
  }

  /**
   * Remembers the obligation and makes one attempt to store it. Never throws: a store that fails leaves the obligation
   * unsaved, to be tried again by terminal handling and by later passes (the specification, section Abort ordering).
   */
  ensure(draft: TurnIntentDraft, options: EnsureOptions): EnsureOutcome {
    const known = this.#memory.obligations.get(draft.intentId);
    if (options.transition !== undefined) this.#transitions.set(draft.intentId, options.transition);
    const obligation: Obligation = {
      draft,
      sessionId: draft.targetSessionId,
      eligible: options.eligible || known?.eligible === true,
      withTransition: this.#transitions.has(draft.intentId) || known?.withTransition === true,
      stored: false,
      failures: known?.failures ?? 0,
    };
    this.#memory.obligations.set(draft.intentId, obligation);
    return this.#write(obligation);
  }

  /** Whether this process saw the interruption behind an intent happen. */
  hosts(intentId: string): boolean {
    return this.#memory.obligations.has(intentId);
  }

  /** How many intents of a session this process keeps in mind. */
  count(sessionId: string): number {
    return this.#of(sessionId).length;
  }

  /** Whether an intent still waits to be stored. */
  isUnsaved(intentId: string): boolean {
    return this.#memory.obligations.get(intentId)?.stored === false;
  }

  /** Whether anything that a session owes still waits to be stored. */
  hasUnsaved(sessionId: string): boolean {
    return this.#of(sessionId).some(({ stored }) => !stored);
  }

  /**
   * What a run owes while the store cannot be written: the intent that stands in the store, if this process knows one,
   * since a later interruption will be absorbed by it; or else the one that waits to be stored.
   */
  owedWithoutStore(options: { readonly runId: string; readonly sessionId: string }): Obligation | undefined {
    const ofRun = this.#of(options.sessionId).filter(({ draft }) => draft.runId === options.runId);
    if (ofRun.every(({ stored }) => stored)) return undefined;
    return ofRun.find(({ stored }) => stored) ?? ofRun[0];
  }

  /** Tries once more to store what is unsaved in a session. */
  retry(sessionId: string): void {
    for (const obligation of this.#of(sessionId)) if (!obligation.stored) this.#write(obligation);
  }

  /** The store's file was replaced: everything this process still owes is written again. */
  storeReplaced(sessionId: string): void {
    for (const obligation of this.#of(sessionId)) obligation.stored = false;
    this.retry(sessionId);
  }

  /** Its intent is resolved. */
  met(intentId: string): void {
    this.#memory.obligations.delete(intentId);
    this.#transitions.delete(intentId);
  }

  /** Forgets stored obligations whose intents others resolved meanwhile. */
  prune(sessionId: string): void {
    for (const { draft, stored } of this.#of(sessionId)) {
      if (stored && this.#store().getWorkflowTurnIntent(draft.intentId)?.resolvedAt != null) this.met(draft.intentId);
    }
  }

  #of(sessionId: string): readonly Obligation[] {
    return [...this.#memory.obligations.values()].filter((obligation) => obligation.sessionId === sessionId);
  }

  #write(obligation: Obligation): EnsureOutcome {
    const { draft } = obligation;
    this.#disownIfOrphaned(obligation);
    try {
      const { intent } = this.#store().transaction((store) => {
        this.#transitions.get(draft.intentId)?.(store);
        return store.ensureWorkflowTurnIntent({
          ...draft,
          eligible: obligation.eligible,
          findDelivered: this.#findDelivered,
        });
      });
      this.#transitions.delete(draft.intentId);
      this.#stands(obligation, intent);
      return { status: "stored", intent };
    } catch (error) {
      return this.#failed(obligation, error);
    }
  }

  /**
   * The end of the run that the obligation told of went with the instance that a reload replaced, so nothing durable
   * shows it: the run goes on, and its real end will make the intent eligible.
   */
  #disownIfOrphaned(obligation: Obligation): void {
    if (!obligation.withTransition || this.#transitions.has(obligation.draft.intentId)) return;
    obligation.withTransition = false;
    obligation.eligible = false;
  }

  #failed(obligation: Obligation, error: unknown): EnsureOutcome {
    const { draft } = obligation;
    const [code, reason] = [codeOf(error), sentenceOf(error)];
    this.#report({ code, message: reason, intentId: draft.intentId, runId: draft.runId });
    const refused = REFUSALS.has(code);
    obligation.failures += 1;
    if (refused) this.met(draft.intentId);
    // Whoever took the run over owes its turns now.
    const isLost = refused ? code !== "RUN_CLAIM_LOST" : obligation.failures === FAILURES_UNTIL_TOLD;
    if (isLost) this.#tellLost(draft, reason);
    return { status: refused ? "refused" : "unsaved", code, reason };
  }

  /**
   * The row that stands for the obligation may be another than its own: an older unresolved intent of the run, or the
   * same attempt's. That is the one this process hosts from now on, unless it is resolved already.
   */
  #stands(obligation: Obligation, intent: WorkflowTurnIntent): void {
    if (intent.intentId !== obligation.draft.intentId) this.met(obligation.draft.intentId);
    if (intent.resolvedAt !== null) this.met(intent.intentId);
    else
      this.#memory.obligations.set(intent.intentId, {
        ...obligation,
        draft: draftOf(intent),
        withTransition: false,
        stored: true,
      });
  }
}

function draftOf(intent: WorkflowTurnIntent): TurnIntentDraft {
  const { intentId, sourceEventId, runId, workflowRef, targetSessionId, cause, nodeId, attemptId, fallbackFacts } =
    intent;
  return { intentId, sourceEventId, runId, workflowRef, targetSessionId, cause, nodeId, attemptId, fallbackFacts };
}
