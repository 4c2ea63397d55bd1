import type { Every } from "../../src/pi/timer.ts";

interface Timer {
  readonly intervalMs: number;
  readonly tick: () => void;
  due: number;
}

/** A clock that stands still until it is told to go on, with the repeating timers that hang on it. */
export class VirtualClock {
  readonly now: () => number = () => this.#time;
  readonly every: Every = (intervalMs, tick) => this.#start({ intervalMs, tick, due: this.#time + intervalMs });
  readonly #timers = new Set<Timer>();
  #time: number;

  constructor(start: string | number = "2026-08-21T08:17:31.000Z") {
    this.#time = new Date(start).getTime();
  }

  /** Moves on, and lets every timer tick when it is due. */
  advance(ms: number): void {
    const end = this.#time + ms;
    for (let next = this.#nextDue(end); next !== undefined; next = this.#nextDue(end)) {
      this.#time = Math.max(this.#time, next.due);
      next.due += next.intervalMs;
      next.tick();
    }
    this.#time = end;
  }

  /** Sets the clock without a tick, as a machine's clock is set forward or back. */
  jump(ms: number): void {
    this.#time += ms;
  }

  #start(timer: Timer): () => void {
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  #nextDue(end: number): Timer | undefined {
    const due = [...this.#timers].filter((timer) => timer.due <= end);
    return due.sort((a, b) => a.due - b.due)[0];
  }
}
