import type { OutgoingMessage, SendOptions } from "../../src/turns/session.ts";
import type { FakeEntry } from "./fakeSessionLog.ts";

/** What the scripted model does in one call, while the turn runs. */
export type ModelCall = (turn: { readonly abort: () => void; readonly isAborted: () => boolean }) => void;

/** What happens to a send beside the usual: see `sendFates`. */
export type SendFate = "taken" | "dropped" | "swallowed" | "thrown" | "doubled";

/** What the model is to answer. `copies` is how often Pi records it. */
export type Incoming =
  | { readonly user: string }
  | { readonly custom: OutgoingMessage; readonly id: string; readonly copies: number };

/** How Pi stood when a message was handed to it. */
export interface SendMoment {
  readonly id: string;
  readonly message: OutgoingMessage;
  readonly options: SendOptions;
  readonly fate: SendFate;
  /** The event whose handlers were at work, innermost first. */
  readonly during: readonly string[];
  readonly phase: "idle" | "starting" | "running" | "settling";
  readonly aborted: boolean;
  readonly compacting: boolean;
  readonly leaving: boolean;
  /** Whether a prompt of the user was announced and had not begun. */
  readonly inPreflight: boolean;
}

export interface FakePiOptions {
  readonly mode?: "tui" | "rpc" | "print" | "json";
  readonly id?: string;
  readonly file?: string;
  /** What the session's file has already. */
  readonly stored?: readonly FakeEntry[];
  readonly newEntryId?: () => string;
  /** Told of each send as it comes in. */
  readonly onSend?: (moment: SendMoment) => void;
  /** Does what crosses the border of Pi, so that a test can come between: a look at the entries, a send, a write. */
  readonly cross?: <Result>(border: "entries" | "send" | "write", work: () => Result) => Result;
}
