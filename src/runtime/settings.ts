import { DeferredTurnsError } from "../contracts/errors.ts";
import { completeSettings, type DeferredTurnsSettings } from "../pi/settings.ts";

/** The periods and bounds of the workflow extension. */
export interface RuntimeSettings {
  readonly turns: DeferredTurnsSettings;
  /** How long a run's claim lives unrenewed, milliseconds. */
  readonly queueLeaseMs: number;
  /** How often it is renewed, milliseconds. */
  readonly queueRenewMs: number;
}

const LONGEST_MS = 600_000;

/**
 * The settings of the extension: the defaults, or what the environment says in milliseconds.
 * Throws INVALID_ARGUMENT for a variable that is not a whole number from 1 to 600,000.
 */
export function runtimeSettings(environment: NodeJS.ProcessEnv): RuntimeSettings {
  const read = (name: string): number | undefined => milliseconds(name, environment[name]);
  const syncIntervalMs = read("PI_DEFERRED_TURNS_SYNC_MS");
  const deliveryLeaseMs = read("PI_DEFERRED_TURNS_DELIVERY_LEASE_MS");
  return {
    turns: completeSettings({
      ...(syncIntervalMs !== undefined && { syncIntervalMs }),
      ...(deliveryLeaseMs !== undefined && { deliveryLeaseMs }),
    }),
    queueLeaseMs: read("PI_DEFERRED_TURNS_QUEUE_LEASE_MS") ?? 30_000,
    queueRenewMs: read("PI_DEFERRED_TURNS_QUEUE_RENEW_MS") ?? 10_000,
  };
}

function milliseconds(name: string, text: string | undefined): number | undefined {
  if (text === undefined || text === "") return undefined;
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= LONGEST_MS) return value;
  const message = `The environment variable ${name} is ${JSON.stringify(text)}; give whole milliseconds from 1 to ${LONGEST_MS}.`;
  throw new DeferredTurnsError({ code: "INVALID_ARGUMENT", message, path: `/${name}` });
}
