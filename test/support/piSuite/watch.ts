import type { OutgoingMessage } from "../../../src/turns/session.ts";
import type { PiUnderTest } from "../piUnderTest.ts";

export const FOLLOW_UP = { deliverAs: "followUp", triggerTurn: true } as const;
export const PASSIVE = { triggerTurn: false } as const;

export const fact = (content = "A fact."): OutgoingMessage => ({
  customType: "fact",
  content,
  display: true,
  details: { turnIntentId: "an-id" },
});

/** What an event says beside its name, as far as it matters here. */
interface EventData {
  readonly source?: string;
  readonly messageType?: string;
  readonly message?: { readonly details?: unknown };
  readonly aborted?: boolean;
}

const EVENTS = ["input", "before_agent_start", "agent_start", "context", "agent_end", "agent_settled"] as const;
type EventName = (typeof EVENTS)[number] | "session_shutdown";

export function on(pi: PiUnderTest, event: EventName, handler: (data: EventData) => void): void {
  (pi.host.on as (name: EventName, listener: (data: EventData) => void) => void)(event, handler);
}

/** Calls the handler at the first such event alone. */
export function once(pi: PiUnderTest, event: EventName, handler: () => void): void {
  let called = false;
  on(pi, event, () => {
    if (called) return;
    called = true;
    handler();
  });
}

/** Writes each event down as it comes, and what `look` sees at that moment. */
export function follow(pi: PiUnderTest, look?: () => string): string[] {
  const seen: string[] = [];
  for (const name of EVENTS) {
    on(pi, name, ({ source, messageType, aborted }) => {
      const what = [name, source, messageType, aborted === true ? "aborted" : undefined].filter(Boolean).join(" ");
      seen.push(look === undefined ? what : `${what}: ${look()}`);
    });
  }
  return seen;
}

/** The conversation among the session's entries: the texts of custom messages, the roles of the others. */
export function transcript(pi: PiUnderTest): readonly string[] {
  return pi.context.sessionManager.getEntries().flatMap((entry) => {
    if (entry.type === "custom_message") return [String(entry.content)];
    if (entry.type !== "message") return [];
    if (entry.message.role === "user") return ["user"];
    if (entry.message.role !== "assistant") return [];
    return [entry.message.stopReason === "aborted" ? "assistant, aborted" : "assistant"];
  });
}

/** The session's state in a word or two. */
export const state = (pi: PiUnderTest) => (): string =>
  `${pi.context.isIdle() ? "idle" : "busy"}, ${transcript(pi).includes("A fact.") ? "there" : "absent"}`;
