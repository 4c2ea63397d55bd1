import type { ContractViolation } from "../../generated/violations.ts";
import { isWellFormed } from "./characters.ts";
import { DeferredTurnsError } from "./errors.ts";
import { pointerToken, repeatedField } from "./repeatedField.ts";

/** How a contract's values are read. */
export interface ContractReader {
  /** What the value is called in an error, such as `deferred turn facts`. */
  readonly name: string;
  /** The longest text, in bytes of UTF-8. */
  readonly maxBytes: number;
  readonly violations: (value: unknown) => readonly ContractViolation[];
}

/**
 * Reads an object of a contract from JSON text, or from a value that is one already. A string is always JSON text.
 * Returns a copy, so that nobody can change what was checked.
 *
 * Beside what the contract's schema refuses, this refuses text that is too long, that is no JSON or that UTF-8 cannot
 * hold, a field that is given twice (parsers disagree on which one counts), and objects that are more than data.
 *
 * @throws DeferredTurnsError `CONTRACT_VIOLATION` with the path of the first offence
 */
export function readContract(textOrValue: unknown, reader: ContractReader): object {
  const copy = copyOf(typeof textOrValue === "string" ? parse(textOrValue, reader) : textOrValue, reader);
  assertContract(copy, reader);
  if (typeof textOrValue !== "string") assertBytes(JSON.stringify(copy), reader);
  return copy;
}

/**
 * Checks a value against its contract's schema.
 *
 * @throws DeferredTurnsError `CONTRACT_VIOLATION` with the path of the first violation
 */
export function assertContract(value: unknown, reader: Pick<ContractReader, "name" | "violations">): void {
  const [first, ...others] = reader.violations(value);
  if (first === undefined) return;
  const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
  throw new DeferredTurnsError({
    code: "CONTRACT_VIOLATION",
    message: `Invalid ${reader.name}: ${first.message}${more}`,
    path: first.path,
  });
}

function parse(text: string, reader: ContractReader): unknown {
  assertBytes(text, reader);
  // A raw half and an escaped one make a whole in the value, though the text cannot be stored or sent as it is.
  if (!isWellFormed(text)) throw violation(reader, "the text holds half of a surrogate pair", "");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw violation(reader, "the text is no JSON", "", cause);
  }
  const twice = repeatedField(text);
  if (twice !== undefined)
    throw violation(reader, `the field ${JSON.stringify(twice.name)} is given twice`, twice.path);
  return value;
}

function assertBytes(text: string, reader: ContractReader): void {
  const bytes = Buffer.byteLength(text, "utf8");
  if (bytes > reader.maxBytes) throw violation(reader, `${bytes} bytes of UTF-8 are more than ${reader.maxBytes}`, "");
}

function copyOf(value: unknown, reader: ContractReader): object {
  if (!isPlainObject(value)) throw violation(reader, "the value is no plain object", "");
  const copy = {};
  for (const [field, property] of Object.entries(Object.getOwnPropertyDescriptors(value))) {
    if (!("value" in property)) throw violation(reader, "a field is computed, not data", `/${pointerToken(field)}`);
    // Assigning would take "__proto__" for the prototype, and hide the field from the validator.
    Object.defineProperty(copy, field, { value: property.value, enumerable: true, writable: true, configurable: true });
  }
  return copy;
}

function isPlainObject(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function violation(
  reader: Pick<ContractReader, "name">,
  flaw: string,
  path: string,
  cause?: unknown,
): DeferredTurnsError {
  return new DeferredTurnsError({
    code: "CONTRACT_VIOLATION",
    message: `Invalid ${reader.name}: ${flaw}.`,
    path,
    cause,
  });
}
