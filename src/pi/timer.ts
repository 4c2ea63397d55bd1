/** Starts a repeating timer, and returns what stops it. */
export type Every = (intervalMs: number, tick: () => void) => () => void;

/** A timer that does not keep the process alive: a leaked one would keep `pi -p` from ever exiting. */
export const everyUnreferenced: Every = (intervalMs, tick) => {
  const timer = setInterval(tick, intervalMs);
  timer.unref();
  return () => clearInterval(timer);
};

/** Calls back once, and returns what calls it off. */
export type After = (delayMs: number, callback: () => void) => () => void;

/** A one-time timer that does not keep the process alive. */
export const afterUnreferenced: After = (delayMs, callback) => {
  const timer = setTimeout(callback, delayMs);
  timer.unref();
  return () => clearTimeout(timer);
};
