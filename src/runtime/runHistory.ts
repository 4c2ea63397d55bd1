import type { RunEvent } from "../../generated/records.ts";
import type { ControllerStore } from "../store/controllerStore.ts";
import type { StepEvent } from "./runProgress.ts";

const PAGE = 100;

const STEP_EVENTS: ReadonlySet<string> = new Set(["stepStarted", "stepTimedOut", "stepCompleted", "questionAsked"]);

/** A run's history as a runner needs it: its steps, and what stood at its end. */
export interface RunHistory {
  readonly steps: readonly StepEvent[];
  /** The place of the last event. */
  readonly lastSeq: number;
  /** What the run presents, if it ended with a presentation. */
  readonly presentation: string | undefined;
}

/** Reads the whole history of a run. */
export function readHistory(store: ControllerStore, runId: string): RunHistory {
  const events = allEvents(store, runId);
  const ended = events.findLast(({ type }) => type === "runEnded");
  const presentation = ended && (JSON.parse(ended.payloadJson) as { readonly presentation?: unknown }).presentation;
  return {
    steps: events.filter(({ type }) => STEP_EVENTS.has(type)).map(stepEvent),
    lastSeq: events.at(-1)?.seq ?? 0,
    presentation: typeof presentation === "string" ? presentation : undefined,
  };
}

function allEvents(store: ControllerStore, runId: string): readonly RunEvent[] {
  const events: RunEvent[] = [];
  for (;;) {
    const page = store.listRunEvents({ runId, after: events.at(-1)?.seq ?? 0, limit: PAGE });
    events.push(...page);
    if (page.length < PAGE) return events;
  }
}

function stepEvent({ payloadJson }: RunEvent): StepEvent {
  return JSON.parse(payloadJson) as StepEvent;
}
