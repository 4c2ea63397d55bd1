import type { RunEvent } from "../../generated/records.ts";
import { DeferredTurnsError } from "../contracts/errors.ts";
import type { ControllerStore } from "../store/controllerStore.ts";
import { type InterruptRequest, interruptIn } from "../store/runs/interruptRequests.ts";
import { NO_PROGRESS, progressAfter, type RunProgress, type StepEvent } from "./runProgress.ts";

const PAGE = 100;

/** The texts that a step's event holds. */
const STEP_EVENT_TEXTS: Readonly<Record<StepEvent["type"], readonly string[]>> = {
  stepStarted: ["nodeId", "attemptId", "kind", "by"],
  stepTimedOut: ["nodeId", "attemptId"],
  stepCompleted: ["nodeId", "result"],
  questionAsked: ["nodeId", "question"],
};

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

/**
 * Reads the whole history of a run.
 *
 * @throws DeferredTurnsError `CORRUPT_ROW` when a step's event cannot be understood: to go on would do steps again
 */
export function readHistory(store: ControllerStore, runId: string): RunHistory {
  const events = allEvents(store, runId);
  const steps = events.filter(({ type }) => Object.hasOwn(STEP_EVENT_TEXTS, type)).map(stepEvent);
  return {
    progress: steps.reduce(progressAfter, NO_PROGRESS),
    presentation: resultOf(events) ?? openQuestion(steps),
    interrupt: interruptIn(events),
    lastSeq: events.at(-1)?.seq ?? 0,
  };
}

function resultOf(events: readonly RunEvent[]): string | undefined {
  const ended = events.findLast(({ type }) => type === "runEnded");
  const payload = ended && (JSON.parse(ended.payloadJson) as { readonly presentation?: unknown } | null);
  const presentation = payload?.presentation;
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

function stepEvent({ seq, runId, type, payloadJson }: RunEvent): StepEvent {
  const payload: unknown = JSON.parse(payloadJson);
  if (isStepEvent(payload) && payload.type === type) return payload;
  const message =
    `The event ${seq} of the run ${runId} is a ${type} whose payload does not say of which step, so the run cannot go on. ` +
    "Correct it with the sqlite3 command, or cancel the run; other runs are unaffected.";
  throw new DeferredTurnsError({ code: "CORRUPT_ROW", message, path: "/payload_json" });
}

function isStepEvent(payload: unknown): payload is StepEvent {
  if (typeof payload !== "object" || payload === null) return false;
  const fields = payload as Readonly<Record<string, unknown>>;
  const texts = Object.entries(STEP_EVENT_TEXTS).find(([type]) => type === fields["type"])?.[1];
  return texts?.every((name) => typeof fields[name] === "string") === true;
}
