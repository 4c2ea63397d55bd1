import type { WorkflowRun as RunRecord } from "../../generated/records.ts";
import { DeferredTurnsError } from "../contracts/errors.ts";
import type { ControllerStore } from "../store/controllerStore.ts";

/** Why a run is being stopped. */
export interface AbortProvenance {
  readonly event: string;
  readonly reason: string | null;
}

/** A run that this process has claimed. Every write goes through `write`, which proves the claim in its own transaction. */
export class ClaimedRun {
  readonly row: RunRecord;
  readonly claimToken: string;
  readonly #leaseMs: number;
  #provenance: AbortProvenance | undefined;

  constructor(row: RunRecord, claimToken: string, leaseMs: number) {
    this.row = row;
    this.claimToken = claimToken;
    this.#leaseMs = leaseMs;
  }

  get runId(): string {
    return this.row.runId;
  }

  /** Why the run was stopped last; its history tells it with the end. */
  get provenance(): AbortProvenance | undefined {
    return this.#provenance;
  }

  stoppedBy(provenance: AbortProvenance): void {
    this.#provenance = provenance;
  }

  /** Gives the claim a new lease. False means that it was lost. */
  renew(store: ControllerStore): boolean {
    const { runId, claimToken } = this;
    return store.renewWorkflowRunClaim({ runId, claimToken, leaseMs: this.#leaseMs });
  }

  /** Changes durable state in one transaction that also proves and renews the claim. Throws RUN_CLAIM_LOST without it. */
  write<Result>(store: ControllerStore, work: () => Result): Result {
    return store.transaction(() => {
      if (this.renew(store)) return work();
      const message = `Another process took over the workflow run ${this.runId}; this one writes nothing more for it.`;
      throw new DeferredTurnsError({ code: "RUN_CLAIM_LOST", message });
    });
  }

  /** Adds to the run's history; call it inside `write`. */
  record(store: ControllerStore, type: string, payload: object): void {
    const { runId, workflowRef, runnerId } = this.row;
    store.recordRunEvent({ runId, workflowRef, type, runnerId, payload });
  }
}
