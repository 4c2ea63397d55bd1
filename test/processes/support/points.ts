/** A place in the life of a process: just before, or just after, its n-th call of something. */
export type Point = `${"before" | "after"} ${string} #${number}`;

/** What a point is about, without the count: `before resolveWorkflowTurnIntent`. */
export function kindOf(point: Point): string {
  return point.replace(/ #\d+$/, "");
}

/** A method of any object. */
type Method = (this: unknown, ...args: unknown[]) => unknown;

/** Announces the points that a process reaches, as it reaches them. */
export class Points {
  readonly reached: Point[] = [];
  readonly #calls = new Map<string, number>();
  readonly #onPoint: (point: Point) => void;

  constructor(onPoint: (point: Point) => void) {
    this.#onPoint = onPoint;
  }

  /** Announces the points of methods from now on: of one object, or of all objects of a prototype. */
  watch(target: object, names: readonly string[]): void {
    for (const name of names) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== "function") throw new Error(`There is no method ${name} to watch.`);
      Object.defineProperty(target, name, { value: this.#watched(name, method as Method), configurable: true });
    }
  }

  /** Announces the point before a call, and returns the call's number among those of its name. */
  before(name: string): number {
    const call = (this.#calls.get(name) ?? 0) + 1;
    this.#calls.set(name, call);
    this.#reach(`before ${name} #${call}`);
    return call;
  }

  /** Announces the point after a call. */
  after(name: string, call: number): void {
    this.#reach(`after ${name} #${call}`);
  }

  #watched(name: string, method: Method): Method {
    const points = this;
    return function (this: unknown, ...args) {
      const call = points.before(name);
      const result = method.apply(this, args);
      points.after(name, call);
      return result;
    };
  }

  #reach(point: Point): void {
    this.reached.push(point);
    this.#onPoint(point);
  }
}
