import { DeferredTurnsError } from "./errors.ts";

const FORM = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const LENGTH = "2026-08-21T08:17:31.000Z".length;
const FIRST = Date.parse("0000-01-01T00:00:00.000Z");
const LAST = Date.parse("9999-12-31T23:59:59.999Z");

/**
 * The one form of a timestamp in the store: UTC with milliseconds, 24 characters, such as `2026-08-21T08:17:31.000Z`.
 * Rows are ordered by this text, so no other form of ISO 8601 is written or accepted.
 *
 * @param epochMs whole milliseconds since 1970, within the years 0000 to 9999
 * @throws DeferredTurnsError `INVALID_ARGUMENT` for a fraction, or a time outside those years
 */
export function formatTimestamp(epochMs: number): string {
  if (!Number.isInteger(epochMs) || epochMs < FIRST || epochMs > LAST) {
    throw new DeferredTurnsError({
      code: "INVALID_ARGUMENT",
      message: `${epochMs} is no time that can be stored: pass whole epoch milliseconds within the years 0000 to 9999.`,
    });
  }
  return new Date(epochMs).toISOString();
}

/** Whether a value is a timestamp in the one form, of a day that the calendar has. */
export function isTimestamp(value: unknown): value is string {
  if (typeof value !== "string" || value.length !== LENGTH || !FORM.test(value)) return false;
  const epochMs = Date.parse(value);
  // A 30 February is moved into March by Date, and 24:00 into the next day: then the text does not come back.
  return !Number.isNaN(epochMs) && new Date(epochMs).toISOString() === value;
}

/**
 * The epoch milliseconds of a timestamp in the one form.
 *
 * @throws DeferredTurnsError `CONTRACT_VIOLATION` for any other text
 */
export function parseTimestamp(text: string): number {
  if (isTimestamp(text)) return Date.parse(text);
  throw new DeferredTurnsError({
    code: "CONTRACT_VIOLATION",
    message: `${JSON.stringify(text)} is no timestamp: write UTC with milliseconds, such as 2026-08-21T08:17:31.000Z.`,
  });
}
