/** A record of Pi's JSON-lines streams: an event, a response, a request of an extension. */
export interface JsonRecord {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** The records of a whole stream. Only LF separates them: JSON strings may hold every other line separator. */
export function parseJsonLines(text: string): readonly JsonRecord[] {
  return new JsonLineReader().push(text.endsWith("\n") ? text : `${text}\n`);
}

/** Cuts a stream that arrives in pieces into records. */
export class JsonLineReader {
  #rest = "";

  /** The records that `piece` completes. */
  push(piece: string): readonly JsonRecord[] {
    const lines = (this.#rest + piece).split("\n");
    this.#rest = lines.pop() ?? "";
    return lines.filter((line) => line.trim() !== "").map((line) => JSON.parse(line) as JsonRecord);
  }
}
