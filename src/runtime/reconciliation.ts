import type { WorkflowRun as RunRecord } from "../../generated/records.ts";
import type { BoundSession } from "../pi/boundSession.ts";
import type { ControllerStore } from "../store/controllerStore.ts";
import { fallbackBecomesEligible } from "../turns/policy.ts";
import { readHistory } from "./runHistory.ts";
import { presentation } from "./stepMessages.ts";

/** The code of a run that a person cancelled directly: it stays quiet for good. */
export const USER_CANCELLED = "userCancelled";

const TERMINAL: ReadonlySet<RunRecord["status"]> = new Set(["done", "failed", "cancelled"]);

/** How many unresolved intents of a session are looked at when it starts. */
const MOST = 100;

/**
 * At the start of a session, brings the unresolved intents of its runs in line with what durable state says of the runs
 * (the specification, section Source events): a result that was not seen is presented again, and what ended without one
 * may fall back.
 */
export function reconcile(session: BoundSession): void {
  const store = session.store();
  const pending = store.listWorkflowTurnIntents({ targetSessionId: session.id, state: "pending", limit: MOST }).intents;
  for (const { runId } of pending) {
    // A run that cannot be read is reported, and hinders no other.
    session.attempt(`reconciling the run ${runId}`, () => {
      const run = store.getWorkflowRun(runId);
      if (run !== undefined) reconcileRun(session, store, run);
    });
  }
}

function reconcileRun(session: BoundSession, store: ControllerStore, run: RunRecord): void {
  const { runId, status, errorCode } = run;
  const text = readHistory(store, runId).presentation;
  const isDue = (): boolean => session.store().getWorkflowRun(runId)?.status === status;
  if (text !== undefined && (status === "done" || status === "parked")) session.deliver(presentation(run, text, isDue));
  else if (TERMINAL.has(status) && fallbackBecomesEligible({ endedBy: endedBy(errorCode), presentationDue: false })) {
    store.makeRunTurnIntentsEligible({ runId });
  }
}

function endedBy(errorCode: string | null): "user" | "workflow" {
  return errorCode === USER_CANCELLED ? "user" : "workflow";
}
