/** How many texts are kept, and how long the longest is, in UTF-16 units. */
const MOST = 100;
const LONGEST = 2_000;

/** The texts that were added last, within bounds; long ones are not kept. */
export class KnownTexts {
  readonly #texts = new Set<string>();

  has(text: string): boolean {
    return this.#texts.has(text);
  }

  add(text: string): void {
    if (text.length > LONGEST) return;
    this.#texts.add(text);
    const [oldest] = this.#texts;
    if (this.#texts.size > MOST && oldest !== undefined) this.#texts.delete(oldest);
  }
}
