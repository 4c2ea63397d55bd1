import type { RunEvent } from "../../generated/records.ts";
import type { ControllerStore } from "../store/controllerStore.ts";
import { type InterruptRequest, interruptIn } from "../store/runs/interruptRequests.ts";
import { NO_PROGRESS, progressAfter, type RunProgress, type StepEvent } from "./runProgress.ts";

const PAGE = 100;

const STEP_EVENTS: ReadonlySet<string> = new Set(["stepStarted", "stepTimedOut", "stepCompleted", "questionAsked"]);

/** A run's history as a runner needs it. */
export interface RunHistory {
  readonly progress: RunProgress;
  /** The result that the run presented at its end, or the question for which it waits. */
  readonly presentation: string | undefined;
  /** What a controller asked. It ends the run, so in the history of one that goes on it is still to be heard. */
  readonly interrupt: InterruptRequest | undefined;
  /** The place of the last event; 0 when there is none. */
  readonly lastSeq: number;
}

/** Reads the whole history of a run. */
export function readHistory(store: ControllerStore, runId: string): RunHistory {
  const events = allEvents(store, runId);
  const steps = events.filter(({ type }) => STEP_EVENTS.has(type)).map(stepEvent);
  return {
    progress: steps.reduce(progressAfter, NO_PROGRESS),
    presentation: resultOf(events) ?? openQuestion(steps),
    interrupt: interruptIn(events),
    lastSeq: events.at(-1)?.seq ?? 0,
  };
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
