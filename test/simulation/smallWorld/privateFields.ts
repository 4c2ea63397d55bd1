import { Session } from "node:inspector";

/** Which private fields of an object are wanted: each as it is, or of the object in it some private fields again. */
export type PrivateShape = { readonly [field: string]: true | PrivateShape };

/** What was found: the values themselves, not copies. */
export type PrivateValues<Shape extends PrivateShape> = {
  readonly [Field in keyof Shape]: Shape[Field] extends PrivateShape ? PrivateValues<Shape[Field]> : unknown;
};

interface RemoteValue {
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

  /** Throws when there is no such field, because it was renamed. */
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
    const { privateProperties = [] } = this.#post<{ privateProperties?: { name: string; value?: RemoteValue }[] }>(
      "Runtime.getProperties",
      { objectId: object.objectId, ownProperties: true },
    );
    const entries = Object.entries(shape).map(([name, wanted]) => {
      const value = privateProperties.find((field) => field.name === name)?.value;
      if (value === undefined) throw new Error(`There is no private field ${name} any more; name it anew here.`);
      return [name, wanted === true ? this.#valueOf(value) : this.#read(value, wanted)];
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
