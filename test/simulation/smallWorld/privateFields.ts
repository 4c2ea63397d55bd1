import { Session } from "node:inspector";

/**
 * All private fields of an object: wanted as it is, left out, or an object of whose private fields the same is said. Only
 * a shape that names them all can be relied on: a field that is added to the code must be looked at here.
 */
export type PrivateShape = { readonly [field: string]: "wanted" | "leftOut" | PrivateShape };

/** What was found: the values themselves, not copies. */
export type PrivateValues<Shape extends PrivateShape> = {
  readonly [Field in keyof Shape]: Shape[Field] extends PrivateShape ? PrivateValues<Shape[Field]> : unknown;
};

interface PrivateField {
  readonly name: string;
  /** Left out for an accessor. */
  readonly value?: RemoteValue;
}

interface RemoteValue {
  readonly type: string;
  readonly objectId?: string;
  readonly value?: unknown;
}

/** Where an object is handed to the inspector and back. */
const slot: { value?: unknown } = {};
const SLOT = "pi-deferred-turns.private-fields";
const IN_SLOT = `globalThis[${JSON.stringify(SLOT)}].value`;

/**
 * Reads the private fields of objects, as a debugger does. Two states of the world are the same only if all that decides
 * over their future is the same, and part of that is nobody's business but the production code's.
 */
export class PrivateFields {
  readonly #session = new Session();

  constructor() {
    this.#session.connect();
    Object.defineProperty(globalThis, SLOT, { value: slot, configurable: true });
  }

  /** Throws when the object's private fields are not those of the shape. */
  of<Shape extends PrivateShape>(object: object, shape: Shape): PrivateValues<Shape> {
    slot.value = object;
    const { result } = this.#post<{ result: RemoteValue }>("Runtime.evaluate", {
      expression: IN_SLOT,
      objectGroup: SLOT,
    });
    const values = this.#read(result, shape);
    this.#post("Runtime.releaseObjectGroup", { objectGroup: SLOT });
    slot.value = undefined;
    return values as PrivateValues<Shape>;
  }

  close(): void {
    this.#session.disconnect();
  }

  #read(object: RemoteValue, shape: PrivateShape): Readonly<Record<string, unknown>> {
    const { privateProperties = [] } = this.#post<{ privateProperties?: readonly PrivateField[] }>(
      "Runtime.getProperties",
      { objectId: object.objectId, ownProperties: true },
    );
    const values = new Map(
      privateProperties.flatMap(({ name, value }) => (value && !isMethod(value) ? [[name, value]] : [])),
    );
    const unknown = [...values.keys()].find((name) => shape[name] === undefined);
    if (unknown !== undefined)
      throw new Error(`Does the private field ${unknown} belong to the state? Say so in the shape.`);
    const entries = Object.entries(shape).flatMap(([name, wanted]) => {
      if (wanted === "leftOut") return [];
      const value = values.get(name);
      if (value === undefined) throw new Error(`There is no private field ${name} any more; correct the shape.`);
      return [[name, wanted === "wanted" ? this.#valueOf(value) : this.#read(value, wanted)]];
    });
    return Object.fromEntries(entries);
  }

  #valueOf({ objectId, value }: RemoteValue): unknown {
    if (objectId === undefined) return value;
    this.#post("Runtime.callFunctionOn", { objectId, functionDeclaration: `function () { ${IN_SLOT} = this; }` });
    return slot.value;
  }

  /** The inspector answers its own thread before `post` returns. */
  #post<Answer>(method: string, parameters: object): Answer {
    let answer: unknown;
    this.#session.post(method, parameters, (error, result) => {
      if (error !== null) throw new Error(`The inspector refused ${method}: ${error.message}`);
      answer = result;
    });
    return answer as Answer;
  }
}

function isMethod({ type }: RemoteValue): boolean {
  return type === "function";
}
