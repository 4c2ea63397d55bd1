import { ALPHABET } from "./actions/alphabet.ts";
import { startProcess } from "./actions/person.ts";
import type { Action } from "./schedule.ts";
import { LEAST_LEASE_MS, type SimulatedProcess } from "./world/simulatedProcess.ts";
import type { World } from "./world/world.ts";

/** Plays the actions of a schedule one after the other, judging the world after each. */
export class Player {
  readonly #world: World;
  readonly #actions: readonly Action[];
  #next = 0;

  constructor(world: World, actions: readonly Action[]) {
    this.#world = world;
    this.#actions = actions;
  }

  get played(): number {
    return this.#next;
  }

  /** Plays on until the end, or until a rule is broken. */
  playAll(): void {
    while (this.#playNext()) this.#world.bury();
  }

  /** Returns whether there was an action to play. */
  #playNext(): boolean {
    const world = this.#world;
    const action = this.#actions[this.#next];
    if (action === undefined || world.violation !== undefined) return false;
    this.#next += 1;
    this.#play(action);
    world.judge();
    return true;
  }

  #play({ do: name, who, n }: Action): void {
    const world = this.#world;
    const process = world.slots[who];
    if (process?.isAlive !== true) {
      startProcess(world, who, n);
      world.coverage.add("action", "start a process");
      return;
    }
    // A process that stands still does nothing, and nothing can be done to it but to kill it.
    if (process.standstills > 0 && name !== "crash") return;
    const performed = ALPHABET[name].perform({ world, process, n, standStill: this.#standStill });
    if (performed) world.coverage.add("action", name);
  }

  readonly #standStill = (process: SimulatedProcess, actions: number): void => {
    const world = this.#world;
    const [since, wall] = [world.time.elapsed, process.clock.now()];
    world.view.refresh();
    const heldBefore = world.view.state.held;
    process.standstills += 1;
    world.standstills += 1;
    for (let count = 0; count < actions && this.#playNext(); count += 1) {
      // Each call plays one action.
    }
    process.standstills -= 1;
    process.lastStandstill = { heldBefore, endedAt: world.time.elapsed };
    const passed = Math.max(world.time.elapsed - since, process.clock.now() - wall);
    // By a clock that disagrees, a lease lapses at once.
    const clocksDisagree = world.living.some(({ clock }) => clock.now() !== process.clock.now());
    if (clocksDisagree || passed >= LEAST_LEASE_MS) process.stoodStillAt = world.time.elapsed;
  };
}
