import type { OutgoingMessage, SendOptions } from "./session.ts";

/** A message of the workflow itself that starts a turn, and so can resolve the run's intent. */
export interface NaturalMessage {
  /** A reminder asks again for what a step's prompt asked; it counts as a prompt, and never replaces one. */
  readonly kind: "workflowPrompt" | "presentation" | "reminder";
  /** The run whose intent the message resolves, 1 to 512 characters. */
  readonly runId: string;
  /** The step and attempt it belongs to: a newer message of the same step replaces an older one that still waits. */
  readonly stepKey: string;
  /** What is sent; the intent's id is added to its details. */
  readonly message: OutgoingMessage;
  /** How it is sent. Without `triggerTurn: true` it goes out at once and resolves nothing. */
  readonly options: SendOptions;
  /**
   * Asked right before every send: is this step still current and this run alive? A stale message is dropped; one of
   * which nobody knows right now waits.
   */
  readonly isCurrent: () => boolean | undefined;
}

/** A natural message that waits, and since when (epoch milliseconds). */
export interface WaitingMessage {
  readonly natural: NaturalMessage;
  readonly since: number;
}

/** Natural messages that wait for an idle session, oldest first, at most one for each step of a run. */
export class NaturalQueue {
  readonly #waiting: WaitingMessage[] = [];

  /** Adds a message, or lets it take the place (and the age) of an older one of its step. */
  add(natural: NaturalMessage, since: number): void {
    const index = this.#waiting.findIndex((other) => sameStep(other.natural, natural));
    const older = this.#waiting[index];
    if (older === undefined) this.#waiting.push({ natural, since });
    else if (replaces(natural, older.natural)) this.#waiting[index] = { natural, since: older.since };
  }

  /** Puts a message that was lost on its way back in front, unless a newer one of its step waits already. */
  restore(lost: WaitingMessage): void {
    if (!this.#waiting.some((other) => sameStep(other.natural, lost.natural))) this.#waiting.unshift(lost);
  }

  remove(waiting: WaitingMessage): void {
    const index = this.#waiting.indexOf(waiting);
    if (index >= 0) this.#waiting.splice(index, 1);
  }

  /** Removes what is no longer current and returns the rest, oldest first. */
  current(): readonly WaitingMessage[] {
    const asked = this.#waiting.map((waiting) => ({ waiting, isCurrent: waiting.natural.isCurrent() }));
    for (const { waiting, isCurrent } of asked) if (isCurrent === false) this.remove(waiting);
    return asked.filter(({ isCurrent }) => isCurrent === true).map(({ waiting }) => waiting);
  }

  hasRun(runId: string): boolean {
    return this.#waiting.some(({ natural }) => natural.runId === runId);
  }
}

function sameStep(a: NaturalMessage, b: NaturalMessage): boolean {
  return a.runId === b.runId && a.stepKey === b.stepKey;
}

function replaces(newer: NaturalMessage, older: NaturalMessage): boolean {
  return newer.kind !== "reminder" || older.kind === "reminder";
}
