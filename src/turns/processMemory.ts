import type { TurnIntentResolution } from "../../generated/records.ts";
import type { TurnIntentDraft } from "../contracts/draft.ts";

/** A message with an intent's id that was handed to Pi and is not resolved yet. */
export interface SentMessage {
  /** The intent whose id it carries. */
  readonly intentId: string;
  /** The run that it is about. */
  readonly runId: string;
  /** The session that it was sent in. */
  readonly sessionId: string;
  /** How it resolves the intent; what the entries show overrules what was meant. */
  resolution: TurnIntentResolution;
  /** The claim it was sent under; undefined for the one send without a claim, after the store failed twice. */
  claimToken: string | undefined;
  /** When the claim wants renewing, epoch milliseconds. */
  renewAt: number;
  /**
   * Set to the process's run count at the send where Pi only queued it behind its settled handlers: until a later run
   * shows that those have ended, absence proves nothing.
   */
  deferredAtRun: number | undefined;
  /** The looks in a row that found it absent in an idle session, and the process's run count at the last of them. */
  absence: { readonly runs: number; readonly looks: number } | undefined;
  /**
   * Whether it was seen among the session's entries. `unflushed` entries are in memory only; once it is `seen`, only the
   * resolution is left to do.
   */
  sighting: "unseen" | "unflushed" | "seen";
}

/** What an interruption in this process owes: kept until its intent is resolved. */
export interface Obligation {
  /** The intent, as it is stored or waits to be. */
  readonly draft: TurnIntentDraft;
  /** The session that it is owed to. */
  readonly sessionId: string;
  /** Whether the row must be eligible: set by terminal handling, never unset. */
  eligible: boolean;
  /**
   * Whether a change of durable state, such as the end of the run, is to be stored with it. An instance of the extension
   * that is gone has taken that change with it.
   */
  withTransition: boolean;
  /** Whether the store has it. */
  stored: boolean;
  /** How often storing it has failed. */
  failures: number;
}

/**
 * What a process must remember across `/reload`, which replaces every instance of an extension but neither the
 * messages that Pi already holds nor the interruptions that happened here. Plain data, because a reloaded extension is
 * a different copy of this code.
 */
export interface ProcessMemory {
  /** Messages that Pi was handed and that are not resolved yet, by intent id. */
  readonly sent: Map<string, SentMessage>;
  /** How often each intent was sent since the last turn of its session that ran to its end. */
  readonly sends: Map<string, { readonly sessionId: string; readonly count: number }>;
  /** The intents whose claim was once taken from another process, which may have sent their messages. */
  readonly takenOver: Set<string>;
  /** What interruptions in this process owe, by intent id. */
  readonly obligations: Map<string, Obligation>;
  /** Sessions in which the user pressed Escape and has not spoken since. */
  readonly silencedSessions: Set<string>;
  /** Sessions whose turn is being stopped by one of us: every binding in the process must know it from Escape. */
  readonly ownAborts: Set<string>;
  /** Runs that were seen to start, by session. */
  readonly runs: Map<string, number>;
}

const KEY = Symbol.for("pi-deferred-turns.process-memory.1");

export function createProcessMemory(): ProcessMemory {
  return {
    sent: new Map(),
    sends: new Map(),
    takenOver: new Set(),
    obligations: new Map(),
    silencedSessions: new Set(),
    ownAborts: new Set(),
    runs: new Map(),
  };
}

/** The memory of this process, shared by every instance of the library in it. */
export function processMemory(): ProcessMemory {
  const host = globalThis as { [KEY]?: ProcessMemory };
  host[KEY] ??= createProcessMemory();
  return host[KEY];
}
