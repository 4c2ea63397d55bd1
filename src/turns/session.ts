/** A custom message as Pi takes it. `content` reaches the model; `details` does not. */
export interface OutgoingMessage {
  /** The type by which Pi and others know the message. */
  readonly customType: string;
  /** What the model reads. */
  readonly content: string;
  /** Whether a person sees it in the transcript. */
  readonly display: boolean;
  /** What programs read; the model does not. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Pi's delivery options for a custom message, handed on as they are. */
export interface SendOptions {
  /** How Pi queues the message while a turn runs. */
  readonly deliverAs?: "steer" | "followUp" | "nextTurn";
  /** Whether the message starts a turn in an idle session. */
  readonly triggerTurn?: boolean;
}

/** What the coordinator reads of a session entry; Pi's entries have more. */
export interface SessionEntryView {
  /** The kind of entry, such as `custom_message` or `message`. */
  readonly type: string;
  /** The type of a custom message. */
  readonly customType?: string;
  /** The details of a custom message; a scan looks for an intent's id in them. */
  readonly details?: unknown;
  /** The message of a conversation entry, of which the role is read. */
  readonly message?: { readonly role?: string };
}

/**
 * The session that receives successor turns: the one port between the coordinator and Pi. The same test suite runs
 * against every implementation of it.
 */
export interface TurnSession {
  /** The id that intents name as their `targetSessionId`, 1 to 512 characters; the same after a restart. */
  readonly id: string;
  /** Whether the session is kept in a file. Pi writes a new file at the first user or assistant message. */
  readonly persisted: boolean;
  /** Whether nothing runs in the session: no turn, no compaction. */
  isIdle(): boolean;
  /** All entries in memory, off-branch ones included, in the order they were made. */
  entries(): readonly SessionEntryView[];
  /** The entries as the session file has them now, which other processes may have written; empty without a file. */
  storedEntries(): readonly SessionEntryView[];
  /** Hands a message to Pi. Returns with no receipt: the message counts as sent, not as seen. May throw. */
  send(message: OutgoingMessage, options: SendOptions): void;
}

/** Whether what is in memory is also in the session's file, or the session has none: only then may "seen" become "resolved". */
export function isFlushed(session: TurnSession, entries: readonly SessionEntryView[]): boolean {
  return !session.persisted || entries.some(isConversation);
}

function isConversation(entry: SessionEntryView): boolean {
  return entry.type === "message" && (entry.message?.role === "user" || entry.message?.role === "assistant");
}
