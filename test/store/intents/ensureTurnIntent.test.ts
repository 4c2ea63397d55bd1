import { describe, expect, it } from "vitest";
import type { TurnIntentResolution } from "../../../generated/records.ts";
import type { TurnIntentDraft } from "../../../src/contracts/draft.ts";
import { LAUNCH_NODE_ID } from "../../../src/contracts/identity.ts";
import { BARE_TABLE, insertIntent, SCHEMA_INFO, sqlite3 } from "../helpers/bareStore.ts";
import { draft, errorOf, runClaim, type StoreWorld, storeWorld, temporaryFolder } from "../helpers/storeWorld.ts";

/** Claims and resolves the pending intent of run-1 and session-1. */
function resolveRun({ store }: StoreWorld, resolution: TurnIntentResolution = "workflowPrompt"): void {
  const claim = store.claimWorkflowTurnIntentForRun(runClaim("resolver"));
  if (claim.status !== "claimed") throw new Error(`The claim met ${claim.status}.`);
  const { intentId } = claim.intent;
  store.resolveWorkflowTurnIntent({ intentId, claimToken: "resolver", resolution, messageId: "m" });
}

const launch = (changes: Parameters<typeof draft>[0] = {}): TurnIntentDraft =>
  draft({ cause: "launchFailed", nodeId: LAUNCH_NODE_ID, attemptId: null, ...changes });

const delivered = (intentId: string) => ({ resolution: "fallback", messageId: `${intentId}:fallback` }) as const;

describe("ensure", () => {
  it("stores a new obligation, dated by the clock, ineligible unless it is said otherwise", () => {
    const { store } = storeWorld();
    const { intent, outcome } = store.ensureWorkflowTurnIntent(draft());
    expect(outcome).toBe("created");
    expect(intent).toEqual({
      ...draft(),
      requestedAt: "2026-08-21T08:17:31.000Z",
      eligibleAt: null,
      resolvedAt: null,
      resolution: null,
      resolutionMessageId: null,
      deliveryClaimToken: null,
      deliveryClaimExpiresAt: null,
    });
    expect(store.getWorkflowTurnIntent(intent.intentId)).toEqual(intent);
  });

  it("stores an eligible one when that is wanted", () => {
    const { store } = storeWorld();
    const { intent } = store.ensureWorkflowTurnIntent({ ...draft(), eligible: true });
    expect(intent.eligibleAt).toBe(intent.requestedAt);
  });

  it("returns a known intent as it is stored: time and facts are no identity", () => {
    const { store, clock } = storeWorld();
    const { intent } = store.ensureWorkflowTurnIntent(draft());
    clock.advance(5000);
    const again = store.ensureWorkflowTurnIntent(draft({ observedState: "failed", reason: "told anew" }));
    expect(again).toEqual({ intent, outcome: "existing" });
  });

  it("returns a resolved intent and starts nothing new", () => {
    const world = storeWorld();
    world.store.ensureWorkflowTurnIntent(draft());
    resolveRun(world);
    const again = world.store.ensureWorkflowTurnIntent({ ...draft(), eligible: true });
    expect(again).toMatchObject({ outcome: "existing", intent: { resolution: "workflowPrompt", eligibleAt: null } });
  });

  it("makes a known pending intent eligible when that is wanted, with the facts of then", () => {
    const { store, clock } = storeWorld();
    store.ensureWorkflowTurnIntent(draft());
    clock.advance(1000);
    const { intent } = store.ensureWorkflowTurnIntent({ ...draft({ observedState: "cancelled" }), eligible: true });
    expect(intent).toMatchObject({
      eligibleAt: "2026-08-21T08:17:32.000Z",
      fallbackFacts: { observedState: "cancelled" },
    });
  });

  it("keeps a copy of the facts that nobody can change", () => {
    const { store } = storeWorld();
    const facts = { ...draft().fallbackFacts };
    const { intent } = store.ensureWorkflowTurnIntent({ ...draft(), fallbackFacts: facts });
    Object.assign(facts, { reason: "changed later" });
    expect(intent.fallbackFacts.reason).toBe("the agent changed its mind");
  });
});

describe("ensure refuses", () => {
  it("an id that is not the digest of the draft's parts", () => {
    const { store } = storeWorld();
    const error = errorOf(() => store.ensureWorkflowTurnIntent({ ...draft(), attemptId: "attempt-2" }));
    expect([error.code, error.path]).toEqual(["IDENTITY_CONFLICT", "/intentId"]);
  });

  it("an id that is stored with another immutable column", () => {
    const { store } = storeWorld();
    store.ensureWorkflowTurnIntent(draft());
    const error = errorOf(() => store.ensureWorkflowTurnIntent({ ...draft(), workflowRef: "another" }));
    expect([error.code, error.path]).toEqual(["IDENTITY_CONFLICT", "/workflowRef"]);
  });

  it.each([
    [
      "facts of another run",
      { ...draft(), fallbackFacts: draft({ runId: "run-2" }).fallbackFacts },
      "/fallbackFacts/runId",
    ],
    [
      "facts with an unknown field",
      { ...draft(), fallbackFacts: { ...draft().fallbackFacts, extra: 1 } },
      "/fallbackFacts",
    ],
    ["a workflow without a name", { ...draft(), workflowRef: "" }, "/workflowRef"],
  ])("%s, and names the place", (_what, broken, path) => {
    const { store } = storeWorld();
    const error = errorOf(() => store.ensureWorkflowTurnIntent(broken));
    expect(error.code).toBe("CONTRACT_VIOLATION");
    expect(error.path).toContain(path);
    expect(store.listWorkflowTurnIntents({ limit: 1 }).intents).toEqual([]);
  });
});

describe("an interruption that finds an unresolved intent of its run and session", () => {
  const second = draft({
    attemptId: "attempt-2",
    cause: "failed",
    observedState: "failed",
    reason: "it broke",
    handoff: true,
  });

  it("is absorbed by it: the cause stays the first one's, the observations are the last one's", () => {
    const { store } = storeWorld();
    const first = store.ensureWorkflowTurnIntent(draft()).intent;
    const { intent, outcome } = store.ensureWorkflowTurnIntent(second);
    expect(outcome).toBe("absorbed");
    const observed = { observedState: "failed", reason: "it broke", handoff: true };
    expect(intent).toEqual({ ...first, fallbackFacts: { ...first.fallbackFacts, ...observed } });
    expect(store.listWorkflowTurnIntents({ limit: 10 }).intents).toHaveLength(1);
  });

  it("makes it eligible when that is wanted", () => {
    const { store, clock } = storeWorld();
    store.ensureWorkflowTurnIntent(draft());
    clock.advance(1000);
    expect(store.ensureWorkflowTurnIntent({ ...second, eligible: true }).intent.eligibleAt).toBe(
      "2026-08-21T08:17:32.000Z",
    );
  });

  it("leaves the facts as they are being sent while a live claim holds it, and makes it eligible all the same", () => {
    const { store, clock } = storeWorld();
    store.ensureWorkflowTurnIntent(draft());
    store.claimWorkflowTurnIntentForRun(runClaim("sender", 1000));
    const during = store.ensureWorkflowTurnIntent({ ...second, eligible: true }).intent;
    expect(during).toMatchObject({ fallbackFacts: draft().fallbackFacts, eligibleAt: expect.any(String) });
    clock.advance(1000);
    expect(store.ensureWorkflowTurnIntent(second).intent.fallbackFacts.observedState).toBe("failed");
  });

  it("stands for itself in another run or session", () => {
    const { store } = storeWorld();
    const drafts = [draft(), draft({ runId: "run-2" }), draft({ targetSessionId: "session-2" })];
    expect(drafts.map((each) => store.ensureWorkflowTurnIntent(each).outcome)).toEqual([
      "created",
      "created",
      "created",
    ]);
  });

  it("stands for itself when the first one is resolved", () => {
    const world = storeWorld();
    world.store.ensureWorkflowTurnIntent(draft());
    resolveRun(world);
    expect(world.store.ensureWorkflowTurnIntent(second).outcome).toBe("created");
  });

  it("resolves it first and stands for itself when its message is in the session already", () => {
    const { store } = storeWorld();
    const first = store.ensureWorkflowTurnIntent(draft()).intent;
    store.claimWorkflowTurnIntentForRun(runClaim("sender"));
    const asked: string[] = [];
    const findDelivered = (intentId: string) => {
      asked.push(intentId);
      return delivered(intentId);
    };
    const { intent, outcome } = store.ensureWorkflowTurnIntent({ ...second, findDelivered });
    expect([outcome, intent.intentId, asked]).toEqual(["created", second.intentId, [first.intentId]]);
    expect(store.getWorkflowTurnIntent(first.intentId)).toMatchObject({
      resolution: "fallback",
      resolutionMessageId: `${first.intentId}:fallback`,
      deliveryClaimToken: null,
    });
  });

  it("changes nothing when the look into the session fails", () => {
    const { store } = storeWorld();
    const first = store.ensureWorkflowTurnIntent(draft()).intent;
    const findDelivered = () => {
      throw new Error("The session cannot be read.");
    };
    expect(() => store.ensureWorkflowTurnIntent({ ...second, findDelivered })).toThrow("cannot be read");
    expect(store.getWorkflowTurnIntent(first.intentId)).toEqual(first);
  });

  it("is not stored when that intent cannot be read: it still holds the place", () => {
    const path = `${temporaryFolder()}/controller.sqlite`;
    sqlite3(path, SCHEMA_INFO + BARE_TABLE + insertIntent(draft(), { fallback_facts_json: "'{}'" }));
    const { store } = storeWorld(path);
    const error = errorOf(() => store.ensureWorkflowTurnIntent(second));
    expect([error.code, error.path]).toEqual(["CORRUPT_ROW", expect.stringContaining("/fallback_facts_json")]);
  });
});

describe("an attempt has at most one intent", () => {
  it("whatever cause and source event its second interruption has: a resolved one owes no second turn", () => {
    const world = storeWorld();
    const first = world.store.ensureWorkflowTurnIntent(draft()).intent;
    resolveRun(world);
    const again = world.store.ensureWorkflowTurnIntent({
      ...draft({ cause: "failed", sourceEventId: "another-event" }),
      eligible: true,
    });
    expect(again).toMatchObject({
      outcome: "existing",
      intent: { intentId: first.intentId, resolution: "workflowPrompt" },
    });
  });

  it("absorbs its second interruption while it is unresolved", () => {
    const { store } = storeWorld();
    const first = store.ensureWorkflowTurnIntent(draft()).intent;
    const again = store.ensureWorkflowTurnIntent(draft({ cause: "failed", observedState: "failed" }));
    expect(again).toMatchObject({
      outcome: "absorbed",
      intent: { intentId: first.intentId, cause: "agentCancelled", fallbackFacts: { observedState: "failed" } },
    });
  });

  it("and is resolved, not replaced, when its message is in the session already", () => {
    const { store } = storeWorld();
    const first = store.ensureWorkflowTurnIntent(draft()).intent;
    const again = store.ensureWorkflowTurnIntent({ ...draft({ cause: "failed" }), findDelivered: delivered });
    expect(again).toMatchObject({ outcome: "existing", intent: { intentId: first.intentId, resolution: "fallback" } });
  });

  it("is another attempt at another node, or in another session", () => {
    const world = storeWorld();
    world.store.ensureWorkflowTurnIntent(draft());
    resolveRun(world);
    expect(world.store.ensureWorkflowTurnIntent(draft({ nodeId: "review" })).outcome).toBe("created");
    expect(world.store.ensureWorkflowTurnIntent(draft({ targetSessionId: "session-2" })).outcome).toBe("created");
  });

  it("is told by its source event when nobody knows its id", () => {
    const world = storeWorld();
    const unnamed = (event: string, cause: "agentCancelled" | "failed"): TurnIntentDraft =>
      draft({ attemptId: null, sourceEventId: event, cause });
    world.store.ensureWorkflowTurnIntent(unnamed("event-1", "agentCancelled"));
    resolveRun(world);
    expect(world.store.ensureWorkflowTurnIntent(unnamed("event-1", "failed")).outcome).toBe("existing");
    expect(world.store.ensureWorkflowTurnIntent(unnamed("event-2", "agentCancelled")).outcome).toBe("created");
  });

  it("a launch has one for its run, whatever its source event and session", () => {
    const world = storeWorld();
    const first = world.store.ensureWorkflowTurnIntent(launch()).intent;
    resolveRun(world, "fallback");
    const again = world.store.ensureWorkflowTurnIntent(
      launch({ sourceEventId: "again", targetSessionId: "session-2" }),
    );
    expect(again).toMatchObject({ outcome: "existing", intent: { intentId: first.intentId } });
    expect(world.store.ensureWorkflowTurnIntent(launch({ runId: "run-2" })).outcome).toBe("created");
  });
});
