/**
 * Calls a function again and again, and returns what stops it. An interval lies between the end of one call and the next,
 * however long the call took: passes are counted to learn what Pi does in between, so it must have had its turn.
 */
export type Every = (intervalMs: number, tick: () => void) => () => void;

/** Calls back once, and returns what calls it off. */
export type After = (delayMs: number, callback: () => void) => () => void;

/** A one-time timer that does not keep the process alive: a leaked one would keep `pi -p` from ever exiting. */
export const afterUnreferenced: After = (delayMs, callback) => {
  const timer = setTimeout(callback, delayMs);
  timer.unref();
  return () => clearTimeout(timer);
};

/** A repeating timer that does not keep the process alive. */
export const everyUnreferenced: Every = (intervalMs, tick) => {
  let stop: (() => void) | undefined;
  const wait = (): void => {
    stop = afterUnreferenced(intervalMs, () => {
      try {
        tick();
      } finally {
        if (stop !== undefined) wait();
      }
    });
  };
  wait();
  return () => {
    stop?.();
    stop = undefined;
  };
};
