import type { RunEvent } from "../../../generated/records.ts";
import { DeferredTurnsError } from "../../contracts/errors.ts";
import type { ControllerStore } from "../controllerStore.ts";

/** The run event by which the process that works on a run learns that a controller wants it stopped. */
const INTERRUPT_REQUESTED = "interruptRequested";

const ACTIVE: ReadonlySet<string> = new Set(["queued", "starting", "running"]);

const PAGE = 100;

/**
 * Asks the process that works on a run to stop it: its turn is aborted, the run is cancelled, and its agent learns why in
 * one later turn.
 *
 * @throws DeferredTurnsError `INVALID_ARGUMENT` for a run that is unknown or not active
 */
export function requestInterrupt(store: ControllerStore, runId: string, reason: string | null): void {
  const run = store.getWorkflowRun(runId);
  if (run !== undefined && ACTIVE.has(run.status)) {
    store.recordRunEvent({ runId, workflowRef: run.workflowRef, type: INTERRUPT_REQUESTED, payload: { reason } });
    return;
  }
  const message =
    run === undefined
      ? `There is no run ${runId} in ${store.path}; name a run of the project that this store belongs to.`
      : `The run ${runId} is ${run.status}, so there is nothing to interrupt.`;
  throw new DeferredTurnsError({ code: "INVALID_ARGUMENT", message, path: "/runId" });
}

/** A controller's request to stop a run. */
export interface InterruptRequest {
  readonly reason: string | null;
}

/** What a look at a run's next events found, and the event from which the next look goes on. */
export interface InterruptLook {
  readonly request: InterruptRequest | undefined;
  readonly lastSeq: number;
}

/** Looks for a request to stop a run among its next events after the one with the `seq` `after`. */
export function lookForInterrupt(store: ControllerStore, runId: string, after: number): InterruptLook {
  const events = store.listRunEvents({ runId, after, limit: PAGE });
  return { request: interruptIn(events), lastSeq: events.at(-1)?.seq ?? after };
}

/** The first request to stop a run among some of its events. */
export function interruptIn(events: readonly RunEvent[]): InterruptRequest | undefined {
  const found = events.find(({ type }) => type === INTERRUPT_REQUESTED);
  return found && { reason: reasonIn(found.payloadJson) };
}

/** Any program may ask; one that gives no reason in our form gives none. */
function reasonIn(payloadJson: string): string | null {
  try {
    const payload = JSON.parse(payloadJson) as { readonly reason?: unknown } | null;
    return typeof payload?.reason === "string" ? payload.reason : null;
  } catch {
    return null;
  }
}
