import { copyFileSync, existsSync, statSync } from "node:fs";
import { turnIntentIdIn } from "../../../src/contracts/messageDetails.ts";
import { readSessionFile } from "../../../src/pi/sessionFile.ts";
import type { FakeEntry } from "../../support/fakeSessionLog.ts";

/** A message of ours as it stands in a session. */
export interface RecordedMessage {
  /** The id that its send had; two copies of one send have one id. */
  readonly id: string;
  readonly intentId: string;
  readonly customType: string;
}

/** A session of Pi, with the file that outlives its processes; one without a file ends with its process. */
export class SimulatedSession {
  readonly id: string;
  readonly file: string | undefined;
  #size = -1;
  #entries: readonly FakeEntry[] = [];

  constructor(id: string, file: string | undefined) {
    this.id = id;
    this.file = file;
  }

  /** Whether a process can open the session again. */
  get isOnDisk(): boolean {
    return this.file !== undefined && existsSync(this.file);
  }

  /** The entries in the file, read again when it has grown. */
  stored(): readonly FakeEntry[] {
    if (this.file === undefined) return [];
    const size = statSync(this.file, { throwIfNoEntry: false })?.size ?? 0;
    if (size !== this.#size) {
      this.#size = size;
      this.#entries = readSessionFile(this.file) as readonly FakeEntry[];
    }
    return this.#entries;
  }

  /** A fork's file begins with a copy of the entries of its origin. */
  copyFrom(origin: SimulatedSession): void {
    if (this.file !== undefined && origin.file !== undefined && origin.isOnDisk) copyFileSync(origin.file, this.file);
  }
}

/** The messages among entries that carry an intent's id. */
export function recordedMessages(entries: readonly FakeEntry[]): readonly RecordedMessage[] {
  return entries.flatMap(({ type, id = "", customType = "", details }) => {
    const intentId = type === "custom_message" ? turnIntentIdIn(details) : undefined;
    return intentId === undefined ? [] : [{ id, intentId, customType }];
  });
}
