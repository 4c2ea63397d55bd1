import { DeferredTurnsError } from "../contracts/errors.ts";

/** The periods and bounds of deferred turns in a Pi session. */
export interface DeferredTurnsSettings {
  /** Time between two sync passes of a session, milliseconds. */
  readonly syncIntervalMs: number;
  /** How long a delivery claim lives unrenewed, milliseconds (1 to 600,000). */
  readonly deliveryLeaseMs: number;
  /** How often one intent's message is sent in a process before it waits for a turn that succeeds. */
  readonly maxSends: number;
}

/** What holds unless a host says otherwise. */
export const DEFAULT_SETTINGS: DeferredTurnsSettings = { syncIntervalMs: 1000, deliveryLeaseMs: 30_000, maxSends: 3 };

const UPPER_BOUNDS: DeferredTurnsSettings = { syncIntervalMs: 600_000, deliveryLeaseMs: 600_000, maxSends: 100 };

/** Completes settings with the defaults. Throws INVALID_ARGUMENT for anything but a positive whole number within its bound. */
export function completeSettings(given: Partial<DeferredTurnsSettings> = {}): DeferredTurnsSettings {
  const settings = { ...DEFAULT_SETTINGS, ...given };
  for (const [name, upper] of Object.entries(UPPER_BOUNDS)) {
    const value = settings[name as keyof DeferredTurnsSettings];
    if (!Number.isInteger(value) || value < 1 || value > upper) {
      const message = `The setting ${name} is ${String(value)}; give a whole number from 1 to ${upper}.`;
      throw new DeferredTurnsError({ code: "INVALID_ARGUMENT", message, path: `/${name}` });
    }
  }
  return settings;
}
