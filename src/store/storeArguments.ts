import { DeferredTurnsError } from "../contracts/errors.ts";
import { isKey } from "../contracts/keys.ts";
import { LEASE_MAX_MS } from "./intents/claimLease.ts";

/** The most rows that one call returns or claims. */
export const LIMIT_MAX = 100;

/** Checks ids and claim tokens: 1 to 512 characters. Throws INVALID_ARGUMENT. */
export function requireKeys(values: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(values)) {
    if (!isKey(value)) throw invalid(name, "pass a string of 1 to 512 characters without U+0000");
  }
}

/** Checks a lease: whole milliseconds from 1 to 600,000. Throws INVALID_ARGUMENT. */
export function requireLease(leaseMs: unknown): void {
  requireInteger({ name: "leaseMs", value: leaseMs, min: 1, max: LEASE_MAX_MS });
}

/** Checks a limit: a whole number from 1 to 100. Throws INVALID_ARGUMENT. */
export function requireLimit(limit: unknown): void {
  requireInteger({ name: "limit", value: limit, min: 1, max: LIMIT_MAX });
}

/** Checks a whole number. Throws INVALID_ARGUMENT. */
export function requireInteger(argument: {
  readonly name: string;
  readonly value: unknown;
  readonly min: number;
  readonly max: number;
}): void {
  const { name, value, min, max } = argument;
  if (typeof value === "number" && Number.isInteger(value) && value >= min && value <= max) return;
  throw invalid(name, `pass a whole number from ${min} to ${max}`);
}

/** Checks that a value is one of a closed list. Throws INVALID_ARGUMENT. */
export function requireOneOf(argument: {
  readonly name: string;
  readonly value: unknown;
  readonly allowed: readonly string[];
}): void {
  const { name, value, allowed } = argument;
  if (!allowed.some((known) => known === value)) throw invalid(name, `pass one of ${allowed.join(", ")}`);
}

/** The error of an argument that breaks its rule. */
export function invalid(name: string, rule: string): DeferredTurnsError {
  return new DeferredTurnsError({
    code: "INVALID_ARGUMENT",
    message: `The argument ${name} is out of its bounds: ${rule}.`,
    path: `/${name}`,
  });
}
