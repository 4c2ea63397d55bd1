import { describe, expect, it } from "vitest";
import { Child } from "../helpers/child.ts";
import { eligibleClaim } from "../helpers/claims.ts";
import { draft, errorOf, runClaim, type StoreWorld, storeWorld } from "../helpers/storeWorld.ts";

const intentId = draft().intentId;
const resolution = { intentId, resolution: "fallback", messageId: "message-1" } as const;

function worldWithIntent(): StoreWorld {
  const world = storeWorld();
  world.store.ensureWorkflowTurnIntent({ ...draft(), eligible: true });
  return world;
}

describe("a claim for a run", () => {
  it("meets nothing when the run has no unresolved intent in the session", () => {
    const { store } = worldWithIntent();
    expect(store.claimWorkflowTurnIntentForRun({ ...runClaim("a"), targetSessionId: "session-2" })).toEqual({
      status: "none",
    });
  });

  it("takes its intent, eligible or not, until the lease ends", () => {
    const { store, clock } = storeWorld();
    store.ensureWorkflowTurnIntent(draft());
    const claim = store.claimWorkflowTurnIntentForRun(runClaim("a", 1000));
    expect(claim).toMatchObject({ status: "claimed", tookOver: false });
    expect(claim).toMatchObject({
      intent: { intentId, deliveryClaimToken: "a", deliveryClaimExpiresAt: clock.now() + 1000 },
    });
  });

  it("is refused while another claim lives, and told until when", () => {
    const { store, clock } = worldWithIntent();
    store.claimWorkflowTurnIntentForRun(runClaim("a", 1000));
    clock.advance(999);
    expect(store.claimWorkflowTurnIntentForRun(runClaim("b"))).toEqual({
      status: "claimedByOther",
      until: clock.now() + 1,
    });
  });

  it("takes over a claim at the very end of its lease, and says so", () => {
    const { store, clock } = worldWithIntent();
    store.claimWorkflowTurnIntentForRun(runClaim("a", 1000));
    clock.advance(1000);
    expect(store.claimWorkflowTurnIntentForRun(runClaim("b"))).toMatchObject({ status: "claimed", tookOver: true });
  });

  it("with the same token renews", () => {
    const { store, clock } = worldWithIntent();
    store.claimWorkflowTurnIntentForRun(runClaim("a", 1000));
    clock.advance(600);
    const again = store.claimWorkflowTurnIntentForRun(runClaim("a", 1000));
    expect(again).toMatchObject({
      status: "claimed",
      tookOver: false,
      intent: { deliveryClaimExpiresAt: clock.now() + 1000 },
    });
  });

  it("treats a claim beyond the longest lease as expired: the clock was set back", () => {
    const { store, clock } = worldWithIntent();
    store.claimWorkflowTurnIntentForRun(runClaim("a", 600_000));
    clock.jump(-1);
    expect(store.claimWorkflowTurnIntentForRun(runClaim("b"))).toMatchObject({ status: "claimed", tookOver: true });
  });

  it("leaves a claim of exactly the longest lease alive", () => {
    const { store } = worldWithIntent();
    store.claimWorkflowTurnIntentForRun(runClaim("a", 600_000));
    expect(store.claimWorkflowTurnIntentForRun(runClaim("b")).status).toBe("claimedByOther");
  });

  it("takes no lock when there is nothing to claim", async () => {
    const { store, path } = worldWithIntent();
    store.claimWorkflowTurnIntentForRun(runClaim("a"));
    const holder = new Child("./holdWriteLock.ts", path);
    await holder.says("locked");
    expect(store.claimWorkflowTurnIntentForRun({ ...runClaim("b"), runId: "run-2" })).toEqual({ status: "none" });
    expect(store.claimWorkflowTurnIntentForRun(runClaim("b")).status).toBe("claimedByOther");
    expect(errorOf(() => store.claimWorkflowTurnIntentForRun(runClaim("a"))).code).toBe("STORE_BUSY");
  });
});

describe("a claim for a session's fallbacks", () => {
  it("takes only eligible intents of the session, the oldest first", () => {
    const { store, clock } = storeWorld();
    const ensure = (
      runId: string,
      changes: { readonly eligible: boolean; readonly targetSessionId?: string },
    ): void => {
      clock.advance(1);
      const { eligible, ...source } = changes;
      store.ensureWorkflowTurnIntent({ ...draft({ runId, ...source }), eligible });
    };
    ensure("ineligible", { eligible: false });
    ensure("first", { eligible: true });
    ensure("elsewhere", { eligible: true, targetSessionId: "session-2" });
    ensure("second", { eligible: true });
    const claimed = store.claimEligibleWorkflowTurnIntentsForSession(eligibleClaim());
    expect(claimed.map(({ runId }) => runId)).toEqual(["first", "second"]);
  });

  it("orders intents of one moment by id", () => {
    const { store } = storeWorld();
    const drafts = ["x", "y", "z"].map((runId) => draft({ runId }));
    for (const each of drafts) store.ensureWorkflowTurnIntent({ ...each, eligible: true });
    const claimed = store.claimEligibleWorkflowTurnIntentsForSession(eligibleClaim());
    expect(claimed.map((intent) => intent.intentId)).toEqual(drafts.map((each) => each.intentId).sort());
  });

  it("takes no more than the limit, and what others have not claimed", () => {
    const { store, clock } = storeWorld();
    for (const runId of ["x", "y", "z"]) {
      store.ensureWorkflowTurnIntent({ ...draft({ runId }), eligible: true });
      clock.advance(1);
    }
    expect(
      store.claimEligibleWorkflowTurnIntentsForSession(eligibleClaim({ limit: 2 })).map(({ runId }) => runId),
    ).toEqual(["x", "y"]);
    expect(
      store.claimEligibleWorkflowTurnIntentsForSession(eligibleClaim({ claimToken: "b" })).map(({ runId }) => runId),
    ).toEqual(["z"]);
    expect(store.claimEligibleWorkflowTurnIntentsForSession(eligibleClaim({ claimToken: "c" }))).toEqual([]);
  });

  it("says which claims it took over", () => {
    const { store, clock } = worldWithIntent();
    expect(store.claimEligibleWorkflowTurnIntentsForSession(eligibleClaim())).toMatchObject([{ tookOver: false }]);
    expect(store.claimEligibleWorkflowTurnIntentsForSession(eligibleClaim())).toMatchObject([{ tookOver: false }]);
    clock.advance(1000);
    expect(store.claimEligibleWorkflowTurnIntentsForSession(eligibleClaim({ claimToken: "b" }))).toMatchObject([
      { tookOver: true },
    ]);
  });

  it("may ask for one intent only", () => {
    const { store } = worldWithIntent();
    const other = draft({ runId: "run-2" });
    store.ensureWorkflowTurnIntent({ ...other, eligible: true });
    const claimed = store.claimEligibleWorkflowTurnIntentsForSession(eligibleClaim({ intentId: other.intentId }));
    expect(claimed.map(({ runId }) => runId)).toEqual(["run-2"]);
    const elsewhere = eligibleClaim({ claimToken: "b", intentId, targetSessionId: "session-2" });
    expect(store.claimEligibleWorkflowTurnIntentsForSession(elsewhere)).toEqual([]);
  });

  it("is not kept from an intent by a clock that was set back since it became eligible", () => {
    const { store, clock } = worldWithIntent();
    clock.jump(-86_400_000);
    expect(store.claimEligibleWorkflowTurnIntentsForSession(eligibleClaim())).toHaveLength(1);
  });

  it("takes no lock in an idle pass", async () => {
    const { store, path } = worldWithIntent();
    const holder = new Child("./holdWriteLock.ts", path);
    await holder.says("locked");
    expect(store.claimEligibleWorkflowTurnIntentsForSession(eligibleClaim({ targetSessionId: "session-2" }))).toEqual(
      [],
    );
    expect(errorOf(() => store.claimEligibleWorkflowTurnIntentsForSession(eligibleClaim())).code).toBe("STORE_BUSY");
  });
});

describe("a resolution", () => {
  it("under the live claim is recorded and ends the claim", () => {
    const { store, clock } = worldWithIntent();
    store.claimWorkflowTurnIntentForRun(runClaim("a", 1000));
    clock.advance(999);
    expect(store.resolveWorkflowTurnIntent({ ...resolution, claimToken: "a" })).toBe("resolved");
    expect(store.getWorkflowTurnIntent(intentId)).toMatchObject({
      resolvedAt: "2026-08-21T08:17:31.999Z",
      resolution: "fallback",
      resolutionMessageId: "message-1",
      deliveryClaimToken: null,
      deliveryClaimExpiresAt: null,
    });
    expect(store.claimWorkflowTurnIntentForRun(runClaim("b"))).toEqual({ status: "none" });
  });

  it("that is repeated is still resolved", () => {
    const { store } = worldWithIntent();
    store.claimWorkflowTurnIntentForRun(runClaim("a"));
    const repeat = (): string => store.resolveWorkflowTurnIntent({ ...resolution, claimToken: "a" });
    expect([repeat(), repeat()]).toEqual(["resolved", "resolved"]);
  });

  it("by another message comes too late", () => {
    const { store } = worldWithIntent();
    store.claimWorkflowTurnIntentForRun(runClaim("a"));
    store.resolveWorkflowTurnIntent({ ...resolution, claimToken: "a" });
    const late = { ...resolution, claimToken: "a" } as const;
    expect(store.resolveWorkflowTurnIntent({ ...late, messageId: "message-2" })).toBe("alreadyResolved");
    expect(store.resolveWorkflowTurnIntent({ ...late, resolution: "presentation" })).toBe("alreadyResolved");
  });

  it("under a lapsed claim is not recorded, until the claim is renewed", () => {
    const { store, clock } = worldWithIntent();
    store.claimWorkflowTurnIntentForRun(runClaim("a", 1000));
    clock.advance(1000);
    expect(store.resolveWorkflowTurnIntent({ ...resolution, claimToken: "a" })).toBe("lapsed");
    expect(store.renewWorkflowTurnIntentClaim({ intentId, claimToken: "a", leaseMs: 1000 })).toBe(true);
    expect(store.resolveWorkflowTurnIntent({ ...resolution, claimToken: "a" })).toBe("resolved");
  });

  it("without the stored claim is not recorded", () => {
    const { store } = worldWithIntent();
    expect(store.resolveWorkflowTurnIntent({ ...resolution, claimToken: "a" })).toBe("notClaimant");
    store.claimWorkflowTurnIntentForRun(runClaim("a"));
    expect(store.resolveWorkflowTurnIntent({ ...resolution, claimToken: "b" })).toBe("notClaimant");
    expect(store.resolveWorkflowTurnIntent({ ...resolution, intentId: "unknown", claimToken: "a" })).toBe(
      "notClaimant",
    );
  });
});

describe("a claim that was taken over", () => {
  it("can be neither renewed nor released by its old holder", () => {
    const { store, clock } = worldWithIntent();
    store.claimWorkflowTurnIntentForRun(runClaim("a", 1000));
    clock.advance(1000);
    store.claimWorkflowTurnIntentForRun(runClaim("b"));
    expect(store.renewWorkflowTurnIntentClaim({ intentId, claimToken: "a", leaseMs: 1 })).toBe(false);
    expect(store.releaseWorkflowTurnIntentClaim({ intentId, claimToken: "a" })).toBe(false);
    expect(store.releaseWorkflowTurnIntentClaim({ intentId, claimToken: "b" })).toBe(true);
    expect(store.getWorkflowTurnIntent(intentId)).toMatchObject({
      deliveryClaimToken: null,
      deliveryClaimExpiresAt: null,
    });
  });
});

describe("eligibility", () => {
  it("is set once, and a later call changes nothing but the facts", () => {
    const { store, clock } = storeWorld();
    store.ensureWorkflowTurnIntent(draft());
    expect(store.makeWorkflowTurnIntentEligible({ intentId })).toBe(true);
    clock.advance(1000);
    const fallbackFacts = draft({ observedState: "cancelled" }).fallbackFacts;
    expect(store.makeWorkflowTurnIntentEligible({ intentId, fallbackFacts })).toBe(true);
    expect(store.getWorkflowTurnIntent(intentId)).toMatchObject({
      eligibleAt: "2026-08-21T08:17:31.000Z",
      fallbackFacts,
    });
  });

  it("is set under a live claim too, which keeps the facts", () => {
    const { store } = storeWorld();
    store.ensureWorkflowTurnIntent(draft());
    store.claimWorkflowTurnIntentForRun(runClaim("a"));
    const fallbackFacts = draft({ observedState: "cancelled" }).fallbackFacts;
    expect(store.makeWorkflowTurnIntentEligible({ intentId, fallbackFacts })).toBe(true);
    expect(store.getWorkflowTurnIntent(intentId)).toMatchObject({
      eligibleAt: expect.any(String),
      fallbackFacts: draft().fallbackFacts,
    });
  });

  it("is not for resolved or unknown intents", () => {
    const { store } = storeWorld();
    store.ensureWorkflowTurnIntent(draft());
    store.claimWorkflowTurnIntentForRun(runClaim("a"));
    store.resolveWorkflowTurnIntent({ ...resolution, claimToken: "a" });
    expect(store.makeWorkflowTurnIntentEligible({ intentId })).toBe(false);
    expect(store.makeWorkflowTurnIntentEligible({ intentId: "unknown" })).toBe(false);
  });

  it("comes with facts of this very intent only", () => {
    const { store } = worldWithIntent();
    const make = (fallbackFacts: ReturnType<typeof draft>["fallbackFacts"]) => () =>
      store.makeWorkflowTurnIntentEligible({ intentId, fallbackFacts });
    expect(errorOf(make(draft({ cause: "failed" }).fallbackFacts)).code).toBe("CONTRACT_VIOLATION");
    expect(errorOf(make({ ...draft().fallbackFacts, observedState: "" })).code).toBe("CONTRACT_VIOLATION");
  });

  it("comes to all unresolved intents of a run at once, in all sessions", () => {
    const { store } = storeWorld();
    for (const targetSessionId of ["session-1", "session-2"])
      store.ensureWorkflowTurnIntent(draft({ targetSessionId }));
    store.ensureWorkflowTurnIntent(draft({ runId: "run-2" }));
    expect(store.makeRunTurnIntentsEligible({ runId: "run-1" })).toBe(2);
    expect(store.makeRunTurnIntentsEligible({ runId: "run-1" })).toBe(0);
    expect(store.listWorkflowTurnIntents({ state: "eligible", limit: 10 }).intents.map(({ runId }) => runId)).toEqual([
      "run-1",
      "run-1",
    ]);
  });
});

describe("broken arguments throw", () => {
  const { leaseMs, claimToken } = eligibleClaim();
  it.each([
    [
      "a limit of 0",
      "/limit",
      (world: StoreWorld) => world.store.claimEligibleWorkflowTurnIntentsForSession(eligibleClaim({ limit: 0 })),
    ],
    ["a limit of 101", "/limit", (world: StoreWorld) => world.store.listWorkflowTurnIntents({ limit: 101 })],
    ["a limit that is no whole number", "/limit", (world: StoreWorld) => world.store.listWorkflowRuns({ limit: 1.5 })],
    ["a lease of 0", "/leaseMs", (world: StoreWorld) => world.store.claimWorkflowTurnIntentForRun(runClaim("a", 0))],
    [
      "a lease above ten minutes",
      "/leaseMs",
      (world: StoreWorld) => world.store.renewWorkflowTurnIntentClaim({ intentId, claimToken, leaseMs: 600_001 }),
    ],
    [
      "a lease that is no number",
      "/leaseMs",
      (world: StoreWorld) =>
        world.store.claimEligibleWorkflowTurnIntentsForSession(eligibleClaim({ leaseMs: Number.NaN })),
    ],
    [
      "an empty token",
      "/claimToken",
      (world: StoreWorld) => world.store.releaseWorkflowTurnIntentClaim({ intentId, claimToken: "" }),
    ],
    [
      "a token of 513 characters",
      "/claimToken",
      (world: StoreWorld) => world.store.claimWorkflowTurnIntentForRun(runClaim("x".repeat(513))),
    ],
    [
      "an unknown resolution",
      "/resolution",
      (world: StoreWorld) =>
        world.store.resolveWorkflowTurnIntent({ ...resolution, claimToken, resolution: "magic" as "fallback" }),
    ],
    [
      "a message without an id",
      "/messageId",
      (world: StoreWorld) => world.store.resolveWorkflowTurnIntent({ ...resolution, claimToken, messageId: "" }),
    ],
    [
      "an unknown state",
      "/state",
      (world: StoreWorld) => world.store.listWorkflowTurnIntents({ limit: 1, state: "open" as "pending" }),
    ],
    [
      "a run id that is no text",
      "/runId",
      (world: StoreWorld) =>
        world.store.claimWorkflowRun({ runId: 7 as unknown as string, runnerId: "r", claimToken, leaseMs }),
    ],
  ])("%s", (_what, path, call) => {
    const error = errorOf(() => call(worldWithIntent()));
    expect([error.code, error.path]).toEqual(["INVALID_ARGUMENT", path]);
  });

  it("a token of 512 four-byte characters is taken", () => {
    expect(worldWithIntent().store.claimWorkflowTurnIntentForRun(runClaim("😀".repeat(512))).status).toBe("claimed");
  });
});
