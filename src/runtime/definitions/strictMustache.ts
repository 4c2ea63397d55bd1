import mustache from "mustache";

/** How much a writer may write, and how it fails. */
export interface StrictWriterOptions {
  readonly maxLength: number;
  readonly fail: (message: string) => Error;
}

/**
 * Looks a name up in plain data, innermost section first. Mustache itself would also find what objects inherit, and
 * would call functions. A name may have dots; so may a key, and the longest key that exists is taken.
 */
export class StrictContext extends mustache.Context {
  override push(view: unknown): StrictContext {
    return new StrictContext(view, this);
  }

  override lookup(name: string): unknown {
    const value = this.#find(name);
    return typeof value === "function" ? undefined : value;
  }

  #find(name: string): unknown {
    if (name === ".") return this.view;
    const parts = name.split(".");
    for (let context: mustache.Context | undefined = this; context !== undefined; context = context.parent) {
      if (ownKey(context.view, parts) !== undefined) return valueAt(context.view, parts);
    }
    return undefined;
  }
}

/** Writes values as they are, and counts what it writes and how often it repeats a section. */
export class StrictWriter extends mustache.Writer {
  readonly #options: StrictWriterOptions;
  #left: number;

  constructor(options: StrictWriterOptions) {
    super();
    this.#options = options;
    this.#left = options.maxLength;
  }

  override renderTokens(...args: Parameters<mustache.Writer["renderTokens"]>): string {
    // A section that repeats without writing anything takes time as well.
    this.#spend(1);
    return super.renderTokens(...args);
  }

  override escapedValue(token: string[], context: mustache.Context): string {
    return this.unescapedValue(token, context);
  }

  override unescapedValue([, name = ""]: string[], context: mustache.Context): string {
    const value: unknown = context.lookup(name);
    if (value === undefined) {
      throw this.#options.fail(`The template names {{${name}}}, and the run has no such value.`);
    }
    return this.#written(typeof value === "string" ? value : JSON.stringify(value));
  }

  override rawValue(token: string[]): string {
    return this.#written(super.rawValue(token));
  }

  #written(text: string): string {
    this.#spend(text.length);
    return text;
  }

  #spend(length: number): void {
    this.#left -= length;
    if (this.#left >= 0) return;
    throw this.#options.fail(`The filled-in template is longer than ${this.#options.maxLength} characters.`);
  }
}

function valueAt(value: unknown, parts: readonly string[]): unknown {
  if (parts.length === 0) return value;
  const key = ownKey(value, parts);
  if (key === undefined) return undefined;
  const inner = (value as Readonly<Record<string, unknown>>)[key.name];
  return valueAt(inner, parts.slice(key.parts));
}

/** The longest key of a value that the parts begin with. */
function ownKey(
  value: unknown,
  parts: readonly string[],
): { readonly name: string; readonly parts: number } | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  for (let count = parts.length; count > 0; count -= 1) {
    const name = parts.slice(0, count).join(".");
    if (Object.hasOwn(value, name)) return { name, parts: count };
  }
  return undefined;
}
