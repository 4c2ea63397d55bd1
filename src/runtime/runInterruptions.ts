import type { TurnIntentDraft } from "../contracts/draft.ts";
import type { BoundSession } from "../pi/boundSession.ts";
import type { ControllerStore } from "../store/controllerStore.ts";
import { type CreateDecision, decideTurnIntent, type TurnEvent } from "../turns/policy.ts";
import type { ClaimedRun } from "./claimedRun.ts";
import { attemptDraft, claimLossDraft, launchDraft, type Observation } from "./runDrafts.ts";
import type { Attempt } from "./runProgress.ts";

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

  /** The run is over by what interrupted it: a live turn is stopped, and the agent is told later. */
  end(interruption: RunInterruption, status: EndStatus): void {
    this.#interrupt(interruption, {
      observedState: status,
      transition: (store) => this.#finish(store, interruption, status),
      ending: ENDED_BY_WORKFLOW,
    });
  }

  /** The run goes on after the interruption; `record` is what its history keeps of it. */
  goOn(interruption: RunInterruption, record: (store: ControllerStore) => void): void {
    this.#interrupt(interruption, {
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

  /** A failure that stops no turn of its own, such as a launch's or a command's. */
  fail(interruption: Omit<RunInterruption, "turn">): void {
    const decision = decideTurnIntent(interruption.event);
    if (decision.action !== "create") return;
    this.#session.endRun({
      draft: this.#draft(interruption, this.#observation(decision, "failed", interruption.reason)),
      transition: (store) => this.#finish(store, interruption, "failed"),
      ...ENDED_BY_WORKFLOW,
    });
  }

  #interrupt(
    interruption: RunInterruption,
    change: {
      readonly observedState: string;
      readonly transition: (store: ControllerStore) => void;
      readonly ending?: typeof ENDED_BY_WORKFLOW;
    },
  ): void {
    const { event, turn, reason } = interruption;
    const { observedState, ...durable } = change;
    this.#session.interrupt({
      event,
      turn,
      ...durable,
      recordProvenance: () => this.#claim.stoppedBy({ event: event.kind, reason }),
      draft: (decision) => this.#draft(interruption, this.#observation(decision, observedState, reason)),
    });
  }

  #draft({ attempt }: Pick<RunInterruption, "attempt">, observation: Observation): TurnIntentDraft {
    const { row } = this.#claim;
    return attempt === undefined ? launchDraft(row, observation) : attemptDraft(row, attempt, observation);
  }

  #observation(decision: CreateDecision, observedState: string, reason: string | null): Observation {
    return { decision, targetSessionId: this.#session.id, observedState, reason };
  }

  #finish(
    store: ControllerStore,
    { event, reason }: Pick<RunInterruption, "event" | "reason">,
    status: EndStatus,
  ): void {
    const { runId, claimToken } = this.#claim;
    this.#claim.write(store, () => {
      this.#claim.record(store, "runEnded", { status, event: event.kind, reason });
      store.finishWorkflowRun({
        runId,
        claimToken,
        status,
        errorCode: event.kind,
        ...(reason === null ? {} : { errorMessage: reason }),
      });
      store.makeRunTurnIntentsEligible({ runId });
    });
  }
}
