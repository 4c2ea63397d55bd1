import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { OutgoingMessage, SendOptions, SessionEntryView, TurnSession } from "../turns/session.ts";
import { readSessionFile } from "./sessionFile.ts";

/** What the library uses of Pi's extension API. */
export type PiHost = Pick<ExtensionAPI, "on" | "sendMessage">;

/** A session of Pi, as the coordinator sees it. It lives from `session_start` to `session_shutdown`: after that Pi's context is stale. */
export class PiSession implements TurnSession {
  readonly id: string;
  readonly #pi: PiHost;
  readonly #context: ExtensionContext;

  constructor(pi: PiHost, context: ExtensionContext) {
    this.#pi = pi;
    this.#context = context;
    this.id = context.sessionManager.getSessionId();
  }

  get persisted(): boolean {
    return this.#context.sessionManager.getSessionFile() !== undefined;
  }

  isIdle(): boolean {
    return this.#context.isIdle();
  }

  entries(): readonly SessionEntryView[] {
    return this.#context.sessionManager.getEntries() as readonly SessionEntryView[];
  }

  storedEntries(): readonly SessionEntryView[] {
    const file = this.#context.sessionManager.getSessionFile();
    return file === undefined ? [] : readSessionFile(file);
  }

  send(message: OutgoingMessage, options: SendOptions): void {
    this.#pi.sendMessage(message, options);
  }

  /** Stops the turn that runs now, if any. */
  abort(): void {
    this.#context.abort();
  }

  /** Tells the person at the terminal, where there is one; elsewhere the diagnostics have it. */
  notify(message: string, level: "info" | "warning" | "error"): void {
    if (this.#context.hasUI) this.#context.ui.notify(message, level);
  }
}
