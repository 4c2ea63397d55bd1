import { setTimeout as sleep } from "node:timers/promises";

/** How often a condition is looked at, in milliseconds. */
const POLL_MS = 10;

/** What to wait for, and for how long. */
export interface UntilOptions {
  /** Ends the sentence "Waited … for": "the second model call". */
  readonly what: string;
  /** The longest wait, in milliseconds. Default 15,000. */
  readonly deadlineMs?: number;
  /** Adds what was seen instead to the failure, for the person who reads it. */
  readonly sawInstead?: () => string;
}

/**
 * Polls until `condition` gives something other than `undefined` or `false`, and returns that.
 * Throws an `Error` with a readable sentence at the deadline; what `condition` throws is passed on at once.
 */
export async function until<T>(
  condition: () => T | undefined | false | Promise<T | undefined | false>,
  options: UntilOptions,
): Promise<T> {
  const deadlineMs = options.deadlineMs ?? 15_000;
  const startedAt = performance.now();
  for (;;) {
    const value = await condition();
    if (value !== undefined && value !== false) return value;
    if (performance.now() - startedAt >= deadlineMs) throw new Error(timeoutSentence(options, deadlineMs));
    await sleep(POLL_MS);
  }
}

function timeoutSentence(options: UntilOptions, deadlineMs: number): string {
  const saw = options.sawInstead?.();
  return `Waited ${deadlineMs} ms for ${options.what}, in vain.${saw === undefined ? "" : ` Saw instead: ${saw}`}`;
}
