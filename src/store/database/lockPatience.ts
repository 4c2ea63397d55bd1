/**
 * How long one call may still wait for the locks of other processes. SQLite waits anew for every statement; this keeps
 * the sum below one bound.
 */
export class LockPatience {
  readonly #endsAt: number;

  constructor(milliseconds: number) {
    this.#endsAt = performance.now() + milliseconds;
  }

  /** What is left, in whole milliseconds, rounded up; 0 when it is used up. */
  remainingMs(): number {
    return Math.max(0, Math.ceil(this.#endsAt - performance.now()));
  }
}

/**
 * Repeats work for which SQLite refuses to wait by itself, until it gets through or the patience ends; then its last
 * error is thrown. `isBusy` tells which errors mean that another process is in the way.
 */
export function patiently<Result>(
  { patience, isBusy }: { readonly patience: LockPatience; readonly isBusy: (error: unknown) => boolean },
  work: () => Result,
): Result {
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || patience.remainingMs() === 0) throw error;
      pause(Math.min(5, patience.remainingMs()));
    }
  }
}

/** Blocks this thread: store calls are synchronous, and the waits here are a few milliseconds long. */
function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
