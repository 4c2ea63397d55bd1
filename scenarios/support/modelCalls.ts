import { appendFileSync, existsSync, readFileSync } from "node:fs";

/** A message as the model got it. Pi shows the model an extension's custom message as one of the user's. */
export interface SeenMessage {
  readonly role: "user" | "toolResult";
  readonly text: string;
}

/** One call of the scripted model, recorded when it begins. */
export interface ModelCall {
  /** Its place in the script, from 0. */
  readonly index: number;
  /** What came after the model's last answer: the messages this call is about. */
  readonly newMessages: readonly SeenMessage[];
  /** Whether the script had an answer for it. A call too many is answered with one sentence, and recorded. */
  readonly scripted: boolean;
}

/** Where the calls are recorded. Its length is the model's place in the script. */
export interface ModelCallLog {
  read(): readonly ModelCall[];
  append(call: ModelCall): void;
}

/** A log for a model in this process. */
export class MemoryCallLog implements ModelCallLog {
  readonly #calls: ModelCall[] = [];

  read(): readonly ModelCall[] {
    return this.#calls;
  }

  append(call: ModelCall): void {
    this.#calls.push(call);
  }
}

/** A log as JSON lines: it survives a reload of the extension and the process, and others can read along. */
export class FileCallLog implements ModelCallLog {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  read(): readonly ModelCall[] {
    if (!existsSync(this.#path)) return [];
    const lines = readFileSync(this.#path, "utf8").split("\n");
    return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as ModelCall);
  }

  append(call: ModelCall): void {
    appendFileSync(this.#path, `${JSON.stringify(call)}\n`);
  }
}
