import type { RunEvent, WorkflowRun } from "../../../generated/records.ts";
import { DeferredTurnsError } from "../../contracts/errors.ts";
import type { ControllerStore } from "../../store/controllerStore.ts";

const PAGE = 100;

/** How many events before and after an interruption are told. */
const BEFORE = 10;
const AFTER = 40;

/** The run of an intent; undefined where the store has none, or its row cannot be read. */
export function runOf(store: ControllerStore, runId: string): WorkflowRun | undefined {
  try {
    return store.getWorkflowRun(runId);
  } catch (error) {
    if (error instanceof DeferredTurnsError && error.code === "CORRUPT_ROW") return undefined;
    throw error;
  }
}

/** The events of a run around a time, oldest first. */
export function eventsAround(store: ControllerStore, runId: string, at: string): readonly RunEvent[] {
  let before: readonly RunEvent[] = [];
  const after: RunEvent[] = [];
  for (const event of eventsOf(store, runId)) {
    if (event.recordedAt < at) before = [...before, event].slice(-BEFORE);
    else after.push(event);
    if (after.length === AFTER) break;
  }
  return [...before, ...after];
}

function* eventsOf(store: ControllerStore, runId: string): Generator<RunEvent> {
  let after = 0;
  for (;;) {
    const events = store.listRunEvents({ runId, after, limit: PAGE });
    yield* events;
    after = events.at(-1)?.seq ?? after;
    if (events.length < PAGE) return;
  }
}
