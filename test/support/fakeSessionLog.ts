import { appendFileSync, existsSync } from "node:fs";
import type { SessionEntryView } from "../../src/turns/session.ts";

/** An entry with its place in the session's tree. */
export type FakeEntry = SessionEntryView & { readonly id?: string; readonly parentId?: string | null };

/** What a session's log is kept with. */
export interface FakeSessionLogOptions {
  readonly id: string;
  readonly file: string | undefined;
  /** What the file has already; the entries of a session that is opened again. */
  readonly stored?: readonly FakeEntry[];
  readonly newEntryId: () => string;
  /** Does the writing, which a test may cut short. */
  readonly write?: (work: () => void) => void;
}

/**
 * A session's entries: in memory alone until the first user or assistant message, from then on in the file too. They are
 * a tree: each hangs on the leaf of its time, and a person may go back to an earlier one.
 */
export class FakeSessionLog {
  readonly entries: FakeEntry[];
  readonly #options: FakeSessionLogOptions;
  #leaf: FakeEntry | undefined;
  #written: number;

  constructor(options: FakeSessionLogOptions) {
    this.#options = options;
    this.entries = [...(options.stored ?? [])];
    this.#leaf = this.entries.at(-1);
    this.#written = this.entries.length;
  }

  user(): void {
    this.#keep({ type: "message", message: { role: "user" } });
  }

  assistant(stopReason: "stop" | "aborted"): void {
    const message = { role: "assistant", stopReason };
    this.#keep({ type: "message", message });
  }

  /** A custom message; with the id that its send had, if that is told. */
  custom(message: object, id?: string): void {
    this.#keep({ type: "custom_message", ...message, ...(id === undefined ? {} : { id }) });
  }

  /** The entries from the root to the leaf. */
  branch(): readonly FakeEntry[] {
    const byId = new Map(this.entries.map((entry) => [entry.id, entry]));
    const path: FakeEntry[] = [];
    for (let entry = this.#leaf; entry !== undefined; entry = byId.get(entry.parentId ?? undefined))
      path.unshift(entry);
    return path;
  }

  /** Goes back to an earlier entry, as `/tree` does: what comes next hangs on it. */
  goTo(place: number): void {
    this.#leaf = this.entries[place];
  }

  #keep(entry: FakeEntry): void {
    const kept = { id: this.#options.newEntryId(), parentId: this.#leaf?.id ?? null, ...entry };
    this.entries.push(kept);
    this.#leaf = kept;
    const { file } = this.#options;
    if (file === undefined || (this.#written === 0 && entry.type !== "message")) return;
    const write = this.#options.write ?? ((work) => work());
    write(() => this.#flush(file));
  }

  #flush(file: string): void {
    const header = existsSync(file) ? [] : [{ type: "session", id: this.#options.id }];
    const lines = [...header, ...this.entries.slice(this.#written)].map((line) => `${JSON.stringify(line)}\n`);
    appendFileSync(file, lines.join(""));
    this.#written = this.entries.length;
  }
}
