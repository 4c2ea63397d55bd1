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

/** What a look at a run's events found: a request to stop it, if any, and the event from which the next look goes on. */
export interface InterruptLook {
  readonly request: { readonly reason: string | null } | undefined;
  readonly lastSeq: number;
}

/** Looks for a request to stop a run among its next events after the one with the `seq` `after`. */
export function lookForInterrupt(store: ControllerStore, runId: string, after: number): InterruptLook {
  const events = store.listRunEvents({ runId, after, limit: PAGE });
  const found = events.find(({ type }) => type === INTERRUPT_REQUESTED);
  return { request: found && { reason: reasonIn(found.payloadJson) }, lastSeq: events.at(-1)?.seq ?? after };
}

function reasonIn(payloadJson: string): string | null {
  const { reason } = JSON.parse(payloadJson) as { readonly reason?: unknown };
  return typeof reason === "string" ? reason : null;
}
