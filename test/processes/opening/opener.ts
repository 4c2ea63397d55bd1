// A process that opens stores when its parent says so, at the very moment at which others do.
import { openControllerStore } from "../../../src/store/openControllerStore.ts";
import { codeOf, sentenceOf } from "../../../src/turns/diagnostics.ts";

/** Which store to open, and when (epoch milliseconds). */
export interface OpeningOrder {
  readonly path: string;
  readonly at: number;
}

/** How it went: opened after being told so often that the store was busy, or refused for good. */
export type Opening = Span &
  (
    | { readonly status: "opened"; readonly busyAnswers: number }
    | { readonly status: "refused"; readonly code: string; readonly message: string }
  );

/** When it began and ended, milliseconds on a clock that all processes share. */
export interface Span {
  readonly from: number;
  readonly until: number;
}

/** How often an opening is tried again that finds the store busy, each time for as long as a user's would. */
const MOST_TRIES = 50;

process.on("message", (order: OpeningOrder) => process.send?.(openAt(order)));
process.send?.("ready");

function openAt({ path, at }: OpeningOrder): Opening {
  // Timers would wake the processes one after the other.
  while (Date.now() < at);
  const from = now();
  for (let busyAnswers = 0; ; busyAnswers += 1) {
    try {
      openControllerStore({ path }).close();
      return { status: "opened", busyAnswers, from, until: now() };
    } catch (error) {
      const code = codeOf(error);
      if (code === "STORE_BUSY" && busyAnswers < MOST_TRIES) continue;
      return { status: "refused", code, message: sentenceOf(error), from, until: now() };
    }
  }
}

function now(): number {
  return performance.timeOrigin + performance.now();
}
