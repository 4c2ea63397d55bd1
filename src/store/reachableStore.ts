import type { ControllerStore } from "./controllerStore.ts";

/**
 * A store that may be out of reach for a while: opened at its first use, tried again at the next one when that failed,
 * and opened anew when its file was replaced.
 */
export class ReachableStore {
  readonly #open: () => ControllerStore;
  #store: ControllerStore | undefined;

  constructor(open: () => ControllerStore) {
    this.#open = open;
  }

  /** The open store. Throws what opening it throws. */
  get(): ControllerStore {
    this.#store ??= this.#open();
    return this.#store;
  }

  /**
   * Compares the file with the one that was opened, and opens the one that took its place. Whoever has rows to look
   * after learns from `replaced` that they may be gone.
   */
  check(): "same" | "replaced" {
    if (this.#store === undefined || this.#store.checkFile() === "same") return "same";
    this.#store.reopen();
    return "replaced";
  }

  close(): void {
    this.#store?.close();
    this.#store = undefined;
  }
}
