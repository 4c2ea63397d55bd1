import { appendFileSync, writeFileSync } from "node:fs";
import { readSessionFile } from "../../../src/pi/sessionFile.ts";
import type { OutgoingMessage, SessionEntryView, TurnSession } from "../../../src/turns/session.ts";

/** Makes the file of a session in which a person has spoken already. */
export function createSessionFile(file: string, id: string): void {
  const lines = [
    { type: "session", id },
    { type: "message", message: { role: "user" } },
  ];
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}

/**
 * A session with a file that several processes have open, as Pi keeps one: what others write is not seen in memory, and
 * a message that was sent stands among the entries only when its turn has begun.
 */
export class FileSession implements TurnSession {
  readonly id: string;
  readonly persisted = true;
  readonly #file: string;
  readonly #entries: SessionEntryView[];
  #sent: (OutgoingMessage & { readonly sentAt: number }) | undefined;

  constructor(id: string, file: string) {
    this.id = id;
    this.#file = file;
    this.#entries = [...readSessionFile(file)];
  }

  isIdle(): boolean {
    return this.#sent === undefined;
  }

  entries(): readonly SessionEntryView[] {
    return this.#entries;
  }

  storedEntries(): readonly SessionEntryView[] {
    return readSessionFile(this.#file);
  }

  send(message: OutgoingMessage): void {
    this.#sent = { ...message, sentAt: Date.now() };
  }

  /** The turn of the message that was sent begins: it joins the entries, in memory and in the file. */
  takeIn(): void {
    if (this.#sent === undefined) return;
    const entry = { type: "custom_message", ...this.#sent, takenInAt: Date.now() };
    this.#entries.push(entry);
    appendFileSync(this.#file, `${JSON.stringify(entry)}\n`);
  }

  /** The turn ends. */
  settle(): void {
    this.#sent = undefined;
  }
}
