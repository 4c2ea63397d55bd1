import { KEY_MAX_LENGTH } from "../../generated/contracts.ts";
import { characterCount, isWellFormed } from "./characters.ts";
import { DeferredTurnsError } from "./errors.ts";

/**
 * Checks a key: an id of a run, session, node, attempt, source event, intent or message.
 *
 * A key has 1 to 512 characters (code points), is well-formed Unicode and holds no U+0000. It is compared byte by byte:
 * nothing is trimmed or normalised.
 *
 * @param path where the value stands, as a JSON pointer; the error carries it
 * @throws DeferredTurnsError `CONTRACT_VIOLATION`
 */
export function assertKey(value: unknown, path: string): asserts value is string {
  const flaw = keyFlaw(value);
  if (flaw === undefined) return;
  throw new DeferredTurnsError({
    code: "CONTRACT_VIOLATION",
    message: `${path} ${flaw}: pass a string of 1 to ${KEY_MAX_LENGTH} characters.`,
    path,
  });
}

/** Whether a value could be a key. */
export function isKey(value: unknown): value is string {
  return keyFlaw(value) === undefined;
}

function keyFlaw(value: unknown): string | undefined {
  if (typeof value !== "string") return `is ${value === null ? "null" : `of type ${typeof value}`}`;
  if (value === "") return "is empty";
  // A character takes at most two units, so that a huge text is not counted to its end.
  if (value.length > 2 * KEY_MAX_LENGTH || characterCount(value) > KEY_MAX_LENGTH) return "is too long";
  if (value.includes("\0")) return "contains U+0000";
  if (!isWellFormed(value)) return "contains half of a surrogate pair";
  return undefined;
}
