import { createContext, Script } from "node:vm";

/** What came of work that may take for ever, as a regular expression that goes back and forth does. */
export type Timed<Value> = { readonly isDone: true; readonly value: Value } | { readonly isDone: false };

const SCRIPT = new Script("work()");

/** Runs synchronous work, and stops it in whatever it does after so many milliseconds. */
export function withinDeadline<Value>(milliseconds: number, work: () => Value): Timed<Value> {
  const done: { value: Value }[] = [];
  const context = createContext({ work: () => done.push({ value: work() }) });
  try {
    SCRIPT.runInContext(context, { timeout: milliseconds });
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
  }
  const [outcome] = done;
  return outcome === undefined ? { isDone: false } : { isDone: true, value: outcome.value };
}
