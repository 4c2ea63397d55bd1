import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sqlite3, text } from "../store/helpers/bareStore.ts";
import { draft, runClaim, type StoreWorld, storeWorld, temporaryFolder } from "../store/helpers/storeWorld.ts";
import { deferredTurns, type Outcome } from "./support/commandLine.ts";

const { intentId } = draft();

/** A store in which a run was interrupted, ended, and its intent was resolved, a second apart each. */
function toldStore(): StoreWorld {
  const world = storeWorld();
  const { store, clock } = world;
  const json = { workflowSourceJson: "{}", definitionDigest: "0", inputJson: "{}", launchOptionsJson: "{}" };
  const acts = [
    () => store.enqueueWorkflowRun({ runId: "run-1", workflowRef: "autoimplement", workflowPath: "w.json", ...json }),
    () => store.ensureWorkflowTurnIntent(draft()),
    () => store.recordRunEvent({ runId: "run-1", workflowRef: "w", type: "stepStopped", payload: { nodeId: "step" } }),
    () => store.finishWorkflowRun({ runId: "run-1", status: "failed", errorCode: "E", errorMessage: "broke" }),
    () => store.makeRunTurnIntentsEligible({ runId: "run-1" }),
    () => store.claimWorkflowTurnIntentForRun(runClaim("a")),
  ];
  for (const act of acts) {
    act();
    clock.advance(1000);
  }
  return world;
}

function resolve({ store }: StoreWorld): void {
  store.resolveWorkflowTurnIntent({
    intentId,
    claimToken: "a",
    resolution: "fallback",
    messageId: `${intentId}:fallback`,
  });
}

const show = ({ path, clock }: StoreWorld, id: string, ...args: readonly string[]): Promise<Outcome> =>
  deferredTurns(["show", id, "--store", path, ...args], { now: clock.now });

/** A session whose last entry carries the intent. */
function sessionFile(folder: string): string {
  const message = {
    type: "custom_message",
    id: "e2",
    customType: "pi-workflows-deferred-turn",
    timestamp: "2026-08-21T08:17:36.500Z",
    details: {
      schema: "pi-workflows.deferred-turn-message.v1",
      turnIntentId: intentId,
      runId: "run-1",
      cause: "failed",
    },
  };
  const lines = [{ type: "session" }, { type: "message", id: "e1" }, message].map((entry) => JSON.stringify(entry));
  mkdirSync(folder, { recursive: true });
  const path = join(folder, "2026-08-21T08-17-31-000Z_session-1.jsonl");
  writeFileSync(path, `${lines.join("\n")}\n{"type":"mess`);
  return path;
}

describe("deferred-turns show", () => {
  it("tells the story in the order of time, to the message that resolved the intent", async () => {
    const world = toldStore();
    resolve(world);
    const { status, stdout } = await show(world, intentId, "--session-file", sessionFile(temporaryFolder()), "--json");
    expect(status).toBe(0);
    const { story } = JSON.parse(stdout) as { readonly story: readonly Record<string, string>[] };
    expect(story.map(({ at, what, text }) => `${at?.slice(17)} ${what} ${text}`)).toEqual([
      "31.000Z runQueued run run-1 of autoimplement",
      `32.000Z sourceEvent ${draft().sourceEventId}`,
      "32.000Z requested agentCancelled, step step, attempt attempt-1: the agent changed its mind",
      '33.000Z runEvent stepStopped {"nodeId":"step"}',
      "34.000Z runEnded failed (E: broke)",
      "35.000Z eligible a fallback may be sent: no natural successor is expected",
      "36.500Z messageSent pi-workflows-deferred-turn, line 3 of the session file, which has 2 entries",
      `37.000Z resolved by fallback, message ${intentId}:fallback`,
    ]);
  });

  it("tells of a claim until when it holds, and when it ran out who may take it", async () => {
    const world = toldStore();
    expect((await show(world, intentId)).stdout).toContain("its claim holds until 2026-08-21T08:18:36.000Z");
    world.clock.advance(60_000);
    const { stdout } = await show(world, intentId);
    expect(stdout).toContain(
      "its claim ran out at 2026-08-21T08:18:36.000Z, and any session of the target may take it",
    );
    expect(stdout).toMatch(/^state +eligible$/m);
    expect(stdout).toMatch(/^run +run-1, failed$/m);
    expect(stdout).toMatch(/^handoff +false$/m);
  });

  it("takes as much of the id as no other has, with and without its prefix", async () => {
    const world = toldStore();
    const digits = intentId.slice("deferred-turn:".length);
    for (const id of [digits.slice(0, 1), digits, intentId]) expect(await show(world, id)).toMatchObject({ status: 0 });
    const others = Array.from({ length: 96 }, (_, n) => draft({ runId: `other-${n}` }));
    for (const other of others) world.store.ensureWorkflowTurnIntent(other);
    // Of so many, more than five begin with one of the sixteen digits.
    const outcomes = await Promise.all([..."0123456789abcdef"].map((digit) => show(world, digit)));
    expect(outcomes).toContainEqual({
      status: 1,
      stdout: "",
      stderr: expect.stringMatching(/^Several turn intents have an id .*: ([0-9a-f]{12}, ){5}…\. Type more of it\.$/),
    });
    expect(await show(world, "xyz")).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("begins with xyz in"),
    });
  });

  it.each([
    ["show", ""],
    ["show", "deferred-turn:"],
    ["show", "1", "--session-file", ""],
    ["list", "--store", ""],
    ["list", "--project", ""],
    ["list", "--run", ""],
    ["interrupt", ""],
  ])("is misused with nothing where a name belongs: %j", async (...args) => {
    expect(await deferredTurns(args)).toMatchObject({
      status: 2,
      stdout: "",
      stderr: expect.stringContaining("empty."),
    });
  });

  it("calls the step before the first one launch, and keeps its id in JSON", async () => {
    const world = storeWorld();
    const launch = draft({ cause: "launchFailed", nodeId: "$launch", attemptId: null });
    world.store.ensureWorkflowTurnIntent(launch);
    const { stdout } = await show(world, launch.intentId);
    expect(stdout).toContain("launchFailed, launch");
    expect(stdout).toMatch(/^nodeId +launch$/m);
    expect((await deferredTurns(["list", "--store", world.path])).stdout).toMatch(/ {2}launch {2}/);
    expect(stdout).not.toContain("$launch");
    const { intent } = JSON.parse((await show(world, launch.intentId, "--json")).stdout);
    expect(intent.nodeId).toBe("$launch");
  });

  it("finds the session's file where Pi keeps it, and says when the message is not there", async () => {
    const world = toldStore();
    const folder = temporaryFolder();
    const file = sessionFile(join(folder, "sessions", "--project--"));
    const args = ["show", intentId, "--store", world.path];
    const environment = { PI_CODING_AGENT_DIR: folder };
    expect((await deferredTurns(args, { environment })).stdout).toContain(
      `line 3 of the session file, which has 2 entries: ${file}`,
    );
    writeFileSync(file, '{"type":"message"}\n');
    expect((await deferredTurns(args, { environment })).stdout).toContain(`not in ${file}`);
  });

  it("finds the session's file in the folder that Pi's environment names", async () => {
    const { path } = toldStore();
    const folder = temporaryFolder();
    const file = sessionFile(folder);
    const environment = { PI_CODING_AGENT_DIR: temporaryFolder(), PI_CODING_AGENT_SESSION_DIR: folder };
    const { stdout } = await deferredTurns(["show", intentId, "--store", path], { environment });
    expect(stdout).toContain(`which has 2 entries: ${file}`);
    expect(stdout).toMatch(/ messageSent +pi-workflows-deferred-turn, line 3 /);
  });

  it("obeys no command in a row", async () => {
    const world = storeWorld();
    const hostile = draft({ runId: "run\u001b]0;x\u0007-1", reason: null });
    world.store.ensureWorkflowTurnIntent(hostile);
    const { stdout } = await show(world, hostile.intentId);
    expect(stdout).toMatch(/^run +run-1, which this store does not know, or cannot read$/m);
    expect(stdout).not.toContain("\u001b");
  });

  it("says which row cannot be read", async () => {
    const world = toldStore();
    const drop = "DROP TRIGGER workflow_turn_intents_guard_update_identity;";
    sqlite3(world.path, `${drop} UPDATE workflow_turn_intents SET cause = ${text("bored")};`);
    expect(await show(world, intentId)).toMatchObject({ status: 1, stderr: expect.stringContaining("(CORRUPT_ROW)") });
  });
});
