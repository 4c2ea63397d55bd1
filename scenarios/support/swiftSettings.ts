/** The extension's sync period in scenarios, in milliseconds. */
export const SYNC_MS = 100;

/** How long a delivery claim lives unrenewed in scenarios, in milliseconds. */
export const DELIVERY_LEASE_MS = 1000;

/** How long the claim of a run lives unrenewed in scenarios, in milliseconds. */
export const QUEUE_LEASE_MS = 2000;

/** The environment by which the extension's own settings shorten what a person would wait for. */
export const SWIFT_SETTINGS = {
  PI_DEFERRED_TURNS_SYNC_MS: String(SYNC_MS),
  PI_DEFERRED_TURNS_DELIVERY_LEASE_MS: String(DELIVERY_LEASE_MS),
  PI_DEFERRED_TURNS_QUEUE_LEASE_MS: String(QUEUE_LEASE_MS),
  PI_DEFERRED_TURNS_QUEUE_RENEW_MS: "300",
} as const;
