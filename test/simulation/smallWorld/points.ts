import { DeferredTurnsError } from "../../../src/contracts/errors.ts";

/** What goes wrong in a step: the one thing that a plan of the world allows. */
export type Fault =
  /** The process dies at the point of this number, counted from the beginning of the step. */
  | { readonly kind: "crash"; readonly point: number; readonly where: string }
  /** The store call of this number fails before it does anything. */
  | { readonly kind: "storeFails"; readonly call: number; readonly where: string }
  /** Pi takes a message and drops it. */
  | { readonly kind: "dropped" }
  /** Pi throws a message back. */
  | { readonly kind: "thrown" };

/** A named place at which a process could die. */
export interface Point {
  readonly number: number;
  readonly name: string;
}

/** Stops the code of a process that died. */
class Death extends Error {}

/**
 * The named points of a process: before and after each store call and each send, at each of Pi's events. A process that
 * dies at one does nothing more: whatever it tries after that throws, and changes nothing.
 */
export class Points {
  readonly #onReach: (point: Point) => void;
  #reached = 0;
  #calls: string[] = [];
  #fault: Fault | undefined;
  #dead = false;

  /** `onReach` is told of each point that the process lived to see. */
  constructor(onReach: (point: Point) => void) {
    this.#onReach = onReach;
  }

  get isDead(): boolean {
    return this.#dead;
  }

  /** The store calls that the step has made. */
  get calls(): readonly string[] {
    return this.#calls;
  }

  /** Begins a step in which a fault happens, or none. */
  begin(fault: Fault | undefined): void {
    this.#reached = 0;
    this.#calls = [];
    this.#fault = fault;
  }

  /** Ends the step: from here on nothing goes wrong. */
  end(): void {
    this.#fault = undefined;
  }

  kill(): void {
    this.#dead = true;
  }

  reach(name: string): void {
    if (this.#dead) throw new Death(`The process is dead: it does not reach "${name}".`);
    const point = { number: this.#reached, name };
    this.#reached += 1;
    if (this.#fault?.kind === "crash" && this.#fault.point === point.number) {
      this.#dead = true;
      throw new Death(`The process died at "${name}".`);
    }
    this.#onReach(point);
  }

  /** A store call is about to be made. */
  reachCall(operation: string): void {
    this.reach(`before ${operation}`);
    const call = this.#calls.push(operation) - 1;
    if (this.#fault?.kind !== "storeFails" || this.#fault.call !== call) return;
    throw new DeferredTurnsError({
      code: "STORE_FAILED",
      message: `The store fails at ${operation}, as it was told to.`,
    });
  }
}
