import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { PiHost } from "../../src/pi/piSession.ts";

/** A started session of Pi, real or fake, driven in one way, so that one suite can ask both the same questions. */
export interface PiUnderTest {
  /** What an extension has of Pi. */
  readonly host: PiHost;
  /** The context of `session_start`. */
  readonly context: ExtensionContext;
  /** For each call of the model the newest message it was shown. */
  modelCalls(): readonly string[];
  /**
   * Gives a person's prompt, and with it what happens during the model calls that follow, in order; a call without a
   * script just answers. Resolves when the run has settled, rejects with Pi's words when Pi refuses the prompt.
   */
  prompt(text: string, ...script: readonly (() => void)[]): Promise<void>;
  /** Resolves when everything that was started has come to its end. */
  settle(): Promise<void>;
  /** Keeps a settled handler at work, behind those that listen by now, until the returned function is called. */
  holdSettlement(): () => void;
  /** Ends the process's session as a person who quits does. */
  quit(): Promise<void>;
}

export interface OpenPiOptions {
  /** Whether the session is kept in a file. Default: true. */
  readonly persisted?: boolean;
}

/** Opens a new session; it is closed when the test ends. */
export type OpenPi = (options?: OpenPiOptions) => Promise<PiUnderTest>;
