import type { RunEvent } from "../../generated/records.ts";
import type { ControllerStore } from "../store/controllerStore.ts";
import type { StepEvent } from "./runProgress.ts";

const PAGE = 100;

const STEP_EVENTS: ReadonlySet<string> = new Set(["stepStarted", "stepTimedOut", "stepCompleted", "questionAsked"]);

/** A run's history as a runner needs it: its steps, and what it has to say to a person. */
export interface RunHistory {
  readonly steps: readonly StepEvent[];
  /** The result that the run presented at its end, or the question for which it waits. */
  readonly presentation: string | undefined;
}

/** Reads the whole history of a run. */
export function readHistory(store: ControllerStore, runId: string): RunHistory {
  const events = allEvents(store, runId);
  const steps = events.filter(({ type }) => STEP_EVENTS.has(type)).map(stepEvent);
  return { steps, presentation: resultOf(events) ?? openQuestion(steps) };
}

function resultOf(events: readonly RunEvent[]): string | undefined {
  const ended = events.findLast(({ type }) => type === "runEnded");
  const presentation = ended && (JSON.parse(ended.payloadJson) as { readonly presentation?: unknown }).presentation;
  return typeof presentation === "string" ? presentation : undefined;
}

function openQuestion(steps: readonly StepEvent[]): string | undefined {
  const last = steps.at(-1);
  return last?.type === "questionAsked" ? last.question : undefined;
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
