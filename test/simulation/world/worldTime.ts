import type { After, Every } from "../../../src/pi/timer.ts";

/** Where the wall clock of a simulated machine begins. */
const START = Date.parse("2026-08-21T08:00:00.000Z");

interface Timer {
  readonly owner: ProcessClock;
  readonly tick: () => void;
  /** Undefined for a timer that ticks once. */
  readonly intervalMs: number | undefined;
  due: number;
}

/**
 * The time of a simulated machine. Time that passes lets timers tick; the wall clock, which the processes read, follows
 * it, and can be set forward and back or stand still.
 */
export class WorldTime {
  /** Whether timers that are due at once tick in the reverse of the order in which they were started. */
  tiesReversed = false;
  readonly #timers = new Set<Timer>();
  #elapsed = 0;
  #ahead = 0;
  #frozenAt: number | undefined;

  /** Milliseconds since the world began, which no clock setting changes. */
  get elapsed(): number {
    return this.#elapsed;
  }

  /** What the wall clock shows, epoch milliseconds. */
  get wall(): number {
    return this.#frozenAt ?? START + this.#elapsed + this.#ahead;
  }

  get isFrozen(): boolean {
    return this.#frozenAt !== undefined;
  }

  /** Sets the wall clock. */
  jump(ms: number): void {
    if (this.#frozenAt === undefined) this.#ahead += ms;
    else this.#frozenAt += ms;
  }

  /** The wall clock stands still, so that all that happens has one time, until it goes on from there. */
  freeze(): void {
    this.#frozenAt ??= this.wall;
  }

  thaw(): void {
    if (this.#frozenAt === undefined) return;
    this.#ahead = this.#frozenAt - START - this.#elapsed;
    this.#frozenAt = undefined;
  }

  /** Lets time pass, and every timer tick when it is due whose process does not stand still. */
  pass(ms: number): void {
    const end = this.#elapsed + ms;
    for (let next = this.#nextDue(end); next !== undefined; next = this.#nextDue(end)) {
      this.#elapsed = Math.max(this.#elapsed, next.due);
      if (next.intervalMs === undefined) this.#timers.delete(next);
      next.tick();
      if (next.intervalMs !== undefined) next.due = this.#elapsed + next.intervalMs;
    }
    this.#elapsed = Math.max(this.#elapsed, end);
  }

  start(timer: Omit<Timer, "due">, delayMs: number): () => void {
    const started = { ...timer, due: this.#elapsed + delayMs };
    this.#timers.add(started);
    return () => this.#timers.delete(started);
  }

  /** The timers of a process that has ended go with it. */
  stopAll(owner: ProcessClock): void {
    for (const timer of this.#timers) if (timer.owner === owner) this.#timers.delete(timer);
  }

  #nextDue(end: number): Timer | undefined {
    const due = [...this.#timers].filter((timer) => timer.due <= end && !timer.owner.standsStill());
    return (this.tiesReversed ? due.reverse() : due).sort((a, b) => a.due - b.due)[0];
  }
}

/** The clock and the timers of one process. */
export class ProcessClock {
  readonly now: () => number;
  readonly every: Every;
  readonly after: After;
  readonly standsStill: () => boolean;
  readonly #time: WorldTime;
  #skew = 0;

  constructor(time: WorldTime, standsStill: () => boolean) {
    this.#time = time;
    this.standsStill = standsStill;
    this.now = () => time.wall + this.#skew;
    this.every = (intervalMs, tick) => time.start({ owner: this, tick, intervalMs }, intervalMs);
    this.after = (delayMs, tick) => time.start({ owner: this, tick, intervalMs: undefined }, delayMs);
  }

  /** How far the process's clock is ahead of the machine's, milliseconds. */
  get ahead(): number {
    return this.#skew;
  }

  /** Sets what this process alone reads, as one in a container of another time does. */
  skew(ms: number): void {
    this.#skew += ms;
  }

  straighten(): void {
    this.#skew = 0;
  }

  stop(): void {
    this.#time.stopAll(this);
  }
}
