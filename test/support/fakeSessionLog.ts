import { appendFileSync, existsSync } from "node:fs";
import type { OutgoingMessage, SessionEntryView } from "../../src/turns/session.ts";

/** A session's entries: in memory alone until the first user or assistant message, from then on in the file too. */
export class FakeSessionLog {
  readonly entries: SessionEntryView[] = [];
  readonly id: string;
  readonly file: string | undefined;
  #written = 0;

  constructor(id: string, file: string | undefined) {
    this.id = id;
    this.file = file;
  }

  user(): void {
    this.#keep({ type: "message", message: { role: "user" } });
  }

  assistant(stopReason: "stop" | "aborted"): void {
    const message = { role: "assistant", stopReason };
    this.#keep({ type: "message", message });
  }

  custom(message: OutgoingMessage): void {
    this.#keep({ type: "custom_message", ...message });
  }

  #keep(entry: SessionEntryView): void {
    this.entries.push(entry);
    if (this.file === undefined || (this.#written === 0 && entry.type !== "message")) return;
    const header = existsSync(this.file) ? [] : [{ type: "session", id: this.id }];
    const lines = [...header, ...this.entries.slice(this.#written)].map((line) => `${JSON.stringify(line)}\n`);
    appendFileSync(this.file, lines.join(""));
    this.#written = this.entries.length;
  }
}
