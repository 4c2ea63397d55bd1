import { randomUUID } from "node:crypto";
import { RESULT_MESSAGE_TYPE, STEP_MESSAGE_TYPE } from "../../../src/contracts/messageTypes.ts";
import type { ControllerStore } from "../../../src/store/controllerStore.ts";
import { DeferredTurnCoordinator } from "../../../src/turns/coordinator.ts";
import type { DiagnosticReport } from "../../../src/turns/diagnostics.ts";
import type { ProcessMemory } from "../../../src/turns/processMemory.ts";
import type { FileSession } from "./fileSession.ts";
import { LEASE_MS, type PlannedIntent } from "./plan.ts";

/** What all live sessions of a process share. */
export interface LiveSessionParts {
  readonly store: ControllerStore;
  readonly memory: ProcessMemory;
  readonly report: (report: DiagnosticReport) => void;
}

/** One session as one process lives it: the production coordinator on a session's file. */
export class LiveSession {
  readonly #session: FileSession;
  readonly #store: ControllerStore;
  readonly #coordinator: DeferredTurnCoordinator;

  constructor({ store, memory, report }: LiveSessionParts, session: FileSession) {
    this.#session = session;
    this.#store = store;
    this.#coordinator = new DeferredTurnCoordinator({
      store: () => store,
      session,
      life: "resident",
      memory,
      naturalTypes: { workflowPrompt: [STEP_MESSAGE_TYPE], presentation: [RESULT_MESSAGE_TYPE] },
      isHeld: (runId) => store.isWorkflowRunHeld(runId),
      deliveryLeaseMs: LEASE_MS,
      maxSends: 3,
      now: Date.now,
      newClaimToken: randomUUID,
      report,
      tellLost: ({ intentId }, reason) => report({ code: "GUARANTEE_LOST", message: reason, intentId }),
    });
  }

  get id(): string {
    return this.#session.id;
  }

  /** A sync pass, in which a message may depart. */
  pass(): void {
    this.#coordinator.pass();
  }

  /** The turn of a message that departed. Returns whether there was one. */
  turn(): boolean {
    if (this.#session.isIdle()) return false;
    this.#coordinator.gate.runStarted();
    this.#session.takeIn();
    this.#coordinator.observe();
    this.#session.settle();
    this.#coordinator.settled(false);
    this.#coordinator.afterSettlement();
    return true;
  }

  /** Stores the intent of an interruption. */
  interrupt({ draft }: PlannedIntent): void {
    this.#coordinator.ensure(draft, { eligible: false });
  }

  /** The interrupted run is over. */
  end({ draft }: PlannedIntent): void {
    this.#coordinator.ensure(draft, { eligible: true });
  }

  /** Has a prompt that resolves the intent, as soon as there is one, and is not needed once there is none. */
  offerPrompt({ draft }: PlannedIntent): void {
    const { runId, intentId } = draft;
    this.#coordinator.deliver({
      kind: "workflowPrompt",
      runId,
      stepKey: "work",
      message: { customType: STEP_MESSAGE_TYPE, content: "Go on.", display: true, details: { runId } },
      options: { deliverAs: "followUp", triggerTurn: true },
      isCurrent: () => {
        const intent = this.#store.getWorkflowTurnIntent(intentId);
        return intent && intent.resolvedAt === null;
      },
    });
  }
}
