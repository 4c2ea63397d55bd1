import type { AgentSessionEvent } from "@earendil-works/pi-coding-agent";
import type { WorkflowTurnIntent } from "../../generated/records.ts";

/** Something that happened in a scenario, and when (epoch milliseconds). */
export interface Moment {
  readonly at: number;
  readonly what: string;
}

type SessionMessage = Extract<AgentSessionEvent, { type: "message_end" }>["message"];

/** Collects what Pi tells as it happens. */
export class Timeline {
  readonly #moments: Moment[] = [];

  add(event: AgentSessionEvent): void {
    const what = describe(event);
    if (what !== undefined) this.#moments.push({ at: Date.now(), what });
  }

  /** Everything in the order of time, with what the rows of the intents tell. */
  moments(intents: readonly WorkflowTurnIntent[]): readonly Moment[] {
    return [...this.#moments, ...intents.flatMap(storedMoments)].sort((a, b) => a.at - b.at);
  }
}

function storedMoments(intent: WorkflowTurnIntent): readonly Moment[] {
  const { cause, requestedAt, eligibleAt, resolvedAt, resolution } = intent;
  return [
    ...moment(requestedAt, `store    an intent of the cause ${cause} is stored`),
    ...moment(eligibleAt, "store    the run is durably over; the intent may fall back"),
    ...moment(resolvedAt, `store    the message was seen; the intent is resolved by ${resolution}`),
  ];
}

function moment(at: string | null, what: string): readonly Moment[] {
  return at === null ? [] : [{ at: Date.parse(at), what }];
}

function describe(event: AgentSessionEvent): string | undefined {
  switch (event.type) {
    case "tool_execution_start":
      return `model    calls ${event.toolName} ${String((event.args as { readonly action?: unknown }).action ?? "")}`;
    case "message_end":
      return describeMessage(event.message);
    case "agent_settled":
      return "Pi       settled";
    default:
      return undefined;
  }
}

function describeMessage(message: SessionMessage): string | undefined {
  if (message.role === "user") return "user     asks";
  if (message.role === "custom") return `workflow sends ${message.customType}`;
  if (message.role !== "assistant") return undefined;
  if (message.stopReason === "aborted") return "Pi       the turn is aborted";
  return message.stopReason === "stop" ? "model    answers" : undefined;
}
