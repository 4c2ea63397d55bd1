import type { BoundSession } from "../pi/boundSession.ts";
import type { After } from "../pi/timer.ts";
import type { StartCommand } from "./commandStep.ts";

/** What calls back later, from a timer or a child process. */
export interface Callbacks {
  readonly after: After;
  readonly startCommand: StartCommand;
}

/** The same with callbacks that throw nothing: where they are called from, nobody would catch it, and Pi would end. */
export function guardedCallbacks({ after, startCommand }: Callbacks, session: BoundSession): Callbacks {
  return {
    after: (delayMs, callback) =>
      after(delayMs, () => void session.attempt("ending a step that ran out of time", callback)),
    startCommand: (step, cwd, onEnd) =>
      startCommand(step, cwd, (end) => void session.attempt("going on after a command", () => onEnd(end))),
  };
}
