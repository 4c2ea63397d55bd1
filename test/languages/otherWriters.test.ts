import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { resolutionMessageId } from "../../src/contracts/identity.ts";
import type { ControllerStore } from "../../src/store/controllerStore.ts";
import { openControllerStore } from "../../src/store/openControllerStore.ts";
import { afterTest, draft, plainConnection, runClaim, temporaryFolder } from "../store/helpers/storeWorld.ts";
import { turnWorld } from "../support/turnWorld.ts";
import { INTENT, INTENT_ID } from "./support/intent.ts";
import { describeLanguages, ForeignWriter } from "./support/languages.ts";

const MESSAGE_ID = resolutionMessageId(INTENT_ID, "fallback");
const HOUR = 3_600_000;

function newPath(): string {
  return join(temporaryFolder(), "controller.sqlite");
}

/** Our store, on the clock of the machine, which the programs go by, or beside it. */
function open(path: string, aheadMs = 0): ControllerStore {
  const store = openControllerStore({ path, now: () => Date.now() + aheadMs });
  afterTest(() => store.close());
  return store;
}

function layoutOf(path: string): readonly unknown[] {
  return plainConnection(path).prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name").all();
}

describeLanguages((_name, programs) => {
  it("creates a store that ours takes as it is", () => {
    const path = newPath();
    expect(new ForeignWriter(programs, path).run("pending", "session-1")).toEqual([]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const created = layoutOf(path);
    expect(open(path).listWorkflowTurnIntents({ limit: 1 }).intents).toEqual([]);
    expect(layoutOf(path)).toEqual(created);
  });

  it("leaves a database alone that is no store", () => {
    const path = newPath();
    plainConnection(path).exec("CREATE TABLE notes (note TEXT)");
    const before = readFileSync(path);
    expect(() => new ForeignWriter(programs, path).run("pending", "session-1")).toThrow("it was left as it is");
    expect(readFileSync(path)).toEqual(before);
  });

  it("inserts an intent that our store reads, and knows again", () => {
    const path = newPath();
    expect(new ForeignWriter(programs, path).insert(INTENT)).toEqual({ intentId: INTENT_ID, created: true });
    const store = open(path);
    const { fallbackFacts, ...columns } = draft({ reason: INTENT.reason });
    expect(store.getWorkflowTurnIntent(INTENT_ID)).toMatchObject({
      ...columns,
      eligibleAt: null,
      resolvedAt: null,
      fallbackFacts: { ...fallbackFacts, reason: INTENT.reason },
    });
    expect(store.ensureWorkflowTurnIntent(draft())).toMatchObject({
      outcome: "existing",
      intent: { intentId: INTENT_ID },
    });
  });

  it("inserts an intent that a session delivers", () => {
    const world = turnWorld();
    const writer = new ForeignWriter(programs, world.path);
    writer.insert(INTENT);
    expect(writer.run("eligible", INTENT_ID)).toBe(true);
    world.pi.start();
    world.periods(3);
    expect(world.pi.sent.map(({ message }) => message.details)).toMatchObject([
      { turnIntentId: INTENT_ID, runId: "run-1" },
    ]);
    expect(world.intents()).toMatchObject([{ resolution: "fallback", resolutionMessageId: MESSAGE_ID }]);
    expect(writer.run("pending", "session-1")).toEqual([]);
  });

  it("finds, claims and resolves what our store inserted", () => {
    const path = newPath();
    const store = open(path);
    store.ensureWorkflowTurnIntent({ ...draft({ reason: INTENT.reason }), eligible: true });
    const writer = new ForeignWriter(programs, path);
    const { fallbackFacts: facts, eligibleAt } = store.getWorkflowTurnIntent(INTENT_ID) ?? {};
    expect(writer.run("pending", "session-1")).toEqual([
      { intentId: INTENT_ID, runId: "run-1", cause: "agentCancelled", eligibleAt, facts },
    ]);
    expect(writer.run("claim", INTENT_ID, "theirs")).toBe(true);
    expect(store.claimWorkflowTurnIntentForRun(runClaim("ours"))).toMatchObject({ status: "claimedByOther" });
    expect(writer.run("resolve", INTENT_ID, "theirs", "fallback")).toBe(true);
    expect(store.getWorkflowTurnIntent(INTENT_ID)).toMatchObject({
      resolution: "fallback",
      resolutionMessageId: MESSAGE_ID,
      deliveryClaimToken: null,
    });
  });

  it("makes an intent eligible once, and gives a claim back", () => {
    const path = newPath();
    const store = open(path);
    store.ensureWorkflowTurnIntent(draft());
    const writer = new ForeignWriter(programs, path);
    expect([writer.run("eligible", INTENT_ID), writer.run("eligible", INTENT_ID)]).toEqual([true, false]);
    expect([writer.run("claim", INTENT_ID, "theirs"), writer.run("claim", INTENT_ID, "theirs")]).toEqual([true, true]);
    expect([writer.run("release", INTENT_ID, "another"), writer.run("release", INTENT_ID, "theirs")]).toEqual([
      false,
      true,
    ]);
    expect(store.claimEligibleWorkflowTurnIntentsForSession({ ...runClaim("ours"), limit: 1 })).toHaveLength(1);
  });

  it("respects a live claim of ours", () => {
    const path = newPath();
    const store = open(path);
    store.ensureWorkflowTurnIntent(draft());
    store.claimWorkflowTurnIntentForRun(runClaim("ours"));
    const writer = new ForeignWriter(programs, path);
    expect(writer.run("claim", INTENT_ID, "theirs")).toBe(false);
    expect(writer.run("resolve", INTENT_ID, "theirs", "fallback")).toBe(false);
    expect(writer.run("release", INTENT_ID, "theirs")).toBe(false);
    const resolution = {
      intentId: INTENT_ID,
      claimToken: "ours",
      resolution: "fallback",
      messageId: MESSAGE_ID,
    } as const;
    expect(store.resolveWorkflowTurnIntent(resolution)).toBe("resolved");
  });

  it.each([
    ["has run out", -HOUR],
    ["outlives the longest lease, as after a clock that was set back", HOUR],
  ])("takes over a claim of ours that %s, and does not resolve under it", (_what, aheadMs) => {
    const path = newPath();
    const store = open(path, aheadMs);
    store.ensureWorkflowTurnIntent(draft());
    store.claimWorkflowTurnIntentForRun(runClaim("ours"));
    const writer = new ForeignWriter(programs, path);
    expect(writer.run("resolve", INTENT_ID, "ours", "fallback")).toBe(false);
    expect(writer.run("claim", INTENT_ID, "theirs")).toBe(true);
    expect(open(path).claimWorkflowTurnIntentForRun(runClaim("ours"))).toMatchObject({ status: "claimedByOther" });
  });

  it("owes a run one turn at a time, and a source event one turn in all", () => {
    const path = newPath();
    const writer = new ForeignWriter(programs, path);
    const next = { ...INTENT, attemptId: "attempt-2" };
    writer.insert(INTENT);
    expect(writer.insert(next)).toEqual({ intentId: INTENT_ID, created: false });
    expect(writer.insert({ ...INTENT, cause: "failed" })).toEqual({ intentId: INTENT_ID, created: false });
    writer.run("claim", INTENT_ID, "theirs");
    writer.run("resolve", INTENT_ID, "theirs", "fallback");
    expect(writer.insert(INTENT)).toEqual({ intentId: INTENT_ID, created: false });
    expect(writer.insert(next)).toEqual({ intentId: draft({ attemptId: "attempt-2" }).intentId, created: true });
    expect(writer.insert(INTENT)).toEqual({ intentId: INTENT_ID, created: false });
  });

  it.each([
    ["a cause that there is not", { ...INTENT, cause: "bored" }],
    ["half of a surrogate pair", { ...INTENT, nodeId: "a\ud800" }],
    ["no word on a handoff", { ...INTENT, handoff: undefined }],
    ["what is no JSON", "{"],
    ["no reference to a workflow, which the database does", { ...INTENT, workflowRef: undefined }],
  ])("refuses %s in one sentence", (_what, intent) => {
    const path = newPath();
    const writer = new ForeignWriter(programs, path);
    expect(() => writer.run("insert", typeof intent === "string" ? intent : JSON.stringify(intent))).toThrow(
      /^[^\n]+\n?$/,
    );
    expect(open(path).listWorkflowTurnIntents({ limit: 1 }).intents).toEqual([]);
  });
});
