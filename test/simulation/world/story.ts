import type { WorldTime } from "./worldTime.ts";

/** What happened in a world, in numbered sentences. */
export class Story {
  readonly #time: WorldTime;
  readonly #sentences: string[] = [];
  readonly #names = new Map<string, string>();

  readonly #worldName: string;

  constructor(time: WorldTime, worldName: string) {
    this.#time = time;
    this.#worldName = worldName;
  }

  tell(sentence: string): void {
    const seconds = (this.#time.elapsed / 1000).toFixed(1);
    this.#sentences.push(
      `${String(this.#sentences.length + 1).padStart(3)}. [${seconds} s] ${sentence.replaceAll(this.#worldName, "")}`,
    );
  }

  /** A short name for an id that is hard to read. */
  nameOf(intentId: string): string {
    const known = this.#names.get(intentId) ?? `intent-${this.#names.size + 1}`;
    this.#names.set(intentId, known);
    return known;
  }

  toString(): string {
    return this.#sentences.join("\n");
  }
}
