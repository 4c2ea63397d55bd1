import { describe, expect, it } from "vitest";
import { runtimeSettings } from "../../src/runtime/settings.ts";

describe("the settings of the extension", () => {
  it("are the defaults when the environment says nothing", () => {
    expect(runtimeSettings({})).toEqual({
      turns: { syncIntervalMs: 1000, deliveryLeaseMs: 30_000, maxSends: 3 },
      queueLeaseMs: 30_000,
      queueRenewMs: 10_000,
    });
  });

  it("are what the environment says", () => {
    const settings = runtimeSettings({ PI_DEFERRED_TURNS_SYNC_MS: "50", PI_DEFERRED_TURNS_QUEUE_LEASE_MS: "600" });
    expect(settings).toMatchObject({ turns: { syncIntervalMs: 50 }, queueLeaseMs: 600 });
  });

  it.each(["0", "600001", "1.5", "soon"])("refuse %s, and name the variable", (value) => {
    expect(() => runtimeSettings({ PI_DEFERRED_TURNS_SYNC_MS: value })).toThrow("PI_DEFERRED_TURNS_SYNC_MS");
  });
});
