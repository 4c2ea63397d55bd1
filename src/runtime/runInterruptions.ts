import type { TurnIntentDraft } from "../contracts/draft.ts";
import type { BoundSession } from "../pi/boundSession.ts";
import type { ControllerStore } from "../store/controllerStore.ts";
import { type CreateDecision, decideTurnIntent, type TurnEvent } from "../turns/policy.ts";
import type { ClaimedRun } from "./claimedRun.ts";
import { attemptDraft, claimLossDraft, launchDraft, type Observation } from "./runDrafts.ts";
import type { Attempt } from "./runProgress.ts";
import { storedReason } from "./runTexts.ts";

/** An interruption of a run, and where it met it. */
export interface RunInterruption {
  readonly event: TurnEvent;
  /** The attempt that was under way; undefined before the first. */
  readonly attempt: Attempt | undefined;
  /** Whether a turn of the workflow runs now, which is then stopped. */
  readonly turn: "live" | "none";
  readonly reason: string | null;
}

/** How a run ends when it does not end well. */
export type EndStatus = "failed" | "cancelled";

const ENDED_BY_WORKFLOW = { endedBy: "workflow", presentationDue: false } as const;

/** Turns what interrupts a run into intents and durable state, always both in one transaction. */
export class RunInterruptions {
  readonly #session: BoundSession;
  readonly #claim: ClaimedRun;

  constructor(session: BoundSession, claim: ClaimedRun) {
    this.#session = session;
    this.#claim = claim;
  }

  /**
   * The run is over by what interrupted it: a live turn is stopped, and the agent is told later. Returns the id of the
   * intent; undefined where none could be made.
   */
  end(interruption: RunInterruption, status: EndStatus): string | undefined {
    return this.#interrupt(interruption, {
      observedState: status,
      transition: (store) => this.#finish(store, status),
      ending: ENDED_BY_WORKFLOW,
    });
  }

  /** The run goes on after the interruption; `record` is what its history keeps of it. Returns the id of the intent. */
  goOn(interruption: RunInterruption, record: (store: ControllerStore) => void): string | undefined {
    return this.#interrupt(interruption, {
      observedState: "running",
      transition: (store) => this.#claim.write(store, () => record(store)),
    });
  }

  /** The run is another process's now. That one has stored the intent already, or this one does. */
  lost(attempt: Attempt | undefined, turn: "live" | "none"): void {
    if (attempt === undefined) return;
    this.#session.interrupt({
      event: { kind: "claimLost" },
      turn,
      recordProvenance: () => undefined,
      draft: (decision) =>
        claimLossDraft(this.#claim.row, attempt, {
          ...this.#observation(decision, "running", "another process took the run over"),
          lostClaimToken: this.#claim.claimToken,
        }),
    });
  }

  /** A failure that stops no turn of its own, such as a launch's or a command's. Returns the id of the intent. */
  fail(interruption: Omit<RunInterruption, "turn">): string | undefined {
    const decision = decideTurnIntent(interruption.event);
    if (decision.action !== "create") return undefined;
    this.#provenance(interruption);
    const draft = this.#draft(interruption, this.#observation(decision, "failed", interruption.reason));
    this.#session.endRun({ draft, transition: (store) => this.#finish(store, "failed"), ...ENDED_BY_WORKFLOW });
    return draft.intentId;
  }

  /** The run's row is gone with the store that held it: what is left is to tell the agent. */
  vanished(attempt: Attempt | undefined, turn: "live" | "none"): void {
    if (attempt === undefined) return;
    this.#session.interrupt({
      event: { kind: "runFailed" },
      turn,
      ending: ENDED_BY_WORKFLOW,
      recordProvenance: () => undefined,
      draft: (decision) =>
        attemptDraft(
          this.#claim.row,
          attempt,
          this.#observation(decision, "unknown", "the controller store was replaced, and the run with it"),
        ),
    });
  }

  /** The agent cancels from a turn that is not the workflow's: it sees the end in its tool's result, and is owed nothing. */
  endQuietly(event: TurnEvent, status: EndStatus, reason: string | null): void {
    this.#provenance({ event, reason });
    this.#session.store().transaction((store) => this.#finish(store, status));
  }

  #interrupt(
    interruption: RunInterruption,
    change: {
      readonly observedState: string;
      readonly transition: (store: ControllerStore) => void;
      readonly ending?: typeof ENDED_BY_WORKFLOW;
    },
  ): string | undefined {
    const { event, turn, reason } = interruption;
    const { observedState, ...durable } = change;
    const { draft } = this.#session.interrupt({
      event,
      turn,
      ...durable,
      recordProvenance: () => this.#provenance(interruption),
      draft: (decision) => this.#draft(interruption, this.#observation(decision, observedState, reason)),
    });
    return draft?.intentId;
  }

  #provenance({ event, reason }: Pick<RunInterruption, "event" | "reason">): void {
    this.#claim.stoppedBy({ event: event.kind, reason: reason === null ? null : storedReason(reason) });
  }

  #draft({ event, attempt }: Pick<RunInterruption, "event" | "attempt">, observation: Observation): TurnIntentDraft {
    const { row } = this.#claim;
    return attempt === undefined || event.kind === "launchFailed"
      ? launchDraft(row, observation)
      : attemptDraft(row, attempt, observation);
  }

  #observation(decision: CreateDecision, observedState: string, reason: string | null): Observation {
    return { decision, targetSessionId: this.#session.id, observedState, reason };
  }

  #finish(store: ControllerStore, status: EndStatus): void {
    const { runId, claimToken, provenance } = this.#claim;
    this.#claim.write(store, () => {
      this.#claim.record(store, "runEnded", { status, ...provenance });
      store.finishWorkflowRun({
        runId,
        claimToken,
        status,
        ...(provenance && { errorCode: provenance.event }),
        ...(provenance?.reason != null && { errorMessage: provenance.reason }),
      });
      store.makeRunTurnIntentsEligible({ runId });
    });
  }
}
