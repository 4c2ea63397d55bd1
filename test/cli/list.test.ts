import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { BARE_TABLE, insertIntent, SCHEMA_INFO, sqlite3, text } from "../store/helpers/bareStore.ts";
import { draft, runClaim, type StoreWorld, storeWorld, temporaryFolder } from "../store/helpers/storeWorld.ts";
import { deferredTurns, type Outcome } from "./support/commandLine.ts";

/** A store with an intent in each state: its run is named after it. */
function filledStore(): StoreWorld {
  const world = storeWorld();
  for (const runId of ["pending", "eligible", "claimed", "resolved"]) {
    const { intent } = world.store.ensureWorkflowTurnIntent({ ...draft({ runId }), eligible: runId === "eligible" });
    if (runId === "pending" || runId === "eligible") continue;
    world.store.claimWorkflowTurnIntentForRun({ ...runClaim("a"), runId });
    const resolution = { intentId: intent.intentId, claimToken: "a", resolution: "fallback", messageId: "m" } as const;
    if (runId === "resolved") world.store.resolveWorkflowTurnIntent(resolution);
  }
  return world;
}

const list = ({ path, clock }: StoreWorld, ...args: readonly string[]): Promise<Outcome> =>
  deferredTurns(["list", "--store", path, ...args], { now: clock.now });

/** The runs of a table, in its order. */
const runsIn = ({ stdout }: Outcome): readonly (string | undefined)[] =>
  stdout
    .split("\n")
    .slice(1)
    .map((line) => line.split(/\s{2,}/)[3]);

describe("deferred-turns list", () => {
  it("shows what is pending, and says how it stands", async () => {
    const world = filledStore();
    world.clock.advance(120_000);
    const { status, stdout } = await list(world, "--run", "eligible");
    expect(status).toBe(0);
    const [head, line] = stdout.split("\n").map((each) => each.split(/\s{2,}/));
    expect(head).toEqual(["ID", "STATE", "CAUSE", "RUN", "STEP", "SESSION", "REQUESTED"]);
    const id = draft({ runId: "eligible" }).intentId.slice("deferred-turn:".length, "deferred-turn:".length + 12);
    expect(line).toEqual([id, "eligible", "agentCancelled", "eligible", "step", "session-1", "2 minutes ago"]);
  });

  it.each([
    { args: [], runs: ["claimed", "eligible", "pending"] },
    { args: ["--all"], runs: ["pending", "eligible", "claimed", "resolved"] },
    { args: ["--state", "eligible"], runs: ["eligible"] },
    { args: ["--state", "claimed"], runs: ["claimed"] },
    { args: ["--state", "resolved"], runs: ["resolved"] },
    { args: ["--all", "--run", "claimed"], runs: ["claimed"] },
  ])("$args chooses $runs", async ({ args, runs }) => {
    expect(runsIn(await list(filledStore(), ...args))).toEqual(runs);
  });

  it("goes on after a page", async () => {
    const world = filledStore();
    const { stdout } = await list(world, "--all", "--limit", "3");
    const cursor = /^There are more: add --after (\S+)$/m.exec(stdout)?.[1];
    expect(runsIn(await list(world, "--all", "--after", String(cursor)))).toEqual(["resolved"]);
  });

  it("says when there is nothing", async () => {
    const { status, stdout } = await list(storeWorld(), "--session", "s");
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: "There is no pending turn intent of this session; --all lists resolved ones, too.",
    });
  });

  it("writes JSON of the documented shape", async () => {
    const world = filledStore();
    const { stdout } = await list(world, "--state", "claimed", "--json");
    const { intentId } = draft({ runId: "claimed" });
    expect(JSON.parse(stdout)).toMatchObject({
      format: "deferred-turns-list.v1",
      store: world.path,
      intents: [{ intentId, state: "claimed", claim: { expiresAt: world.clock.now() + 60_000, isLive: true } }],
      unreadable: [],
      next: null,
    });
    expect(stdout).not.toContain("deliveryClaimToken");
  });

  it("lists a row that cannot be read apart, and obeys no command in it", async () => {
    const path = join(temporaryFolder(), "controller.sqlite");
    const odd = draft({ runId: "run-2\u001b[31m", attemptId: "2" });
    sqlite3(
      path,
      SCHEMA_INFO + BARE_TABLE + insertIntent(draft(), { cause: text("bored\u001b[2J") }) + insertIntent(odd),
    );
    const { stdout } = await list(storeWorld(path));
    expect(stdout).toContain("run-2  step");
    expect(stdout).toMatch(/^The row 1, deferred-turn:[0-9a-f]{64}, cannot be read: \/cause must be one of/m);
    expect(stdout).not.toContain("\u001b");
  });

  it("leaves the store as it is while a session has it open", async () => {
    const world = filledStore();
    const before = readFileSync(world.path);
    await list(world);
    expect(readFileSync(world.path).equals(before)).toBe(true);
    expect(world.store.checkFile()).toBe("same");
  });

  it("paints the states on a terminal that has colours", async () => {
    const { path, clock } = filledStore();
    const args = ["list", "--store", path];
    expect((await deferredTurns(args, { now: clock.now, hasColours: true })).stdout).toContain(
      "\u001b[33meligible\u001b[39m",
    );
  });
});

describe("a store that cannot be listed", () => {
  const refusal = async (path: string): Promise<Outcome> => deferredTurns(["list", "--store", path]);

  it("is not made where there is none", async () => {
    const path = join(temporaryFolder(), "controller.sqlite");
    expect(await refusal(path)).toMatchObject({
      status: 1,
      stdout: "",
      stderr: expect.stringContaining(`There is no controller store at ${path}`),
    });
  });

  it.each([
    ["another program's", "CREATE TABLE t (x);", "INCOMPATIBLE_STORE"],
    ["an older one that lacks tables", SCHEMA_INFO + BARE_TABLE, "INCOMPATIBLE_STORE"],
    ["of an earlier alpha", "", "LEGACY_LAUNCH_FAILURES"],
  ])("%s is refused with the store's own sentence", async (_what, sql, code) => {
    const path = join(temporaryFolder(), "controller.sqlite");
    if (sql === "") storeWorld(path).store.close();
    const legacy =
      "INSERT INTO workflow_notifications VALUES ('n', 'r', 'n', 'a', 1, 's', 'launch_failure', 'c', '2026-08-21T08:00:00.000Z', NULL, NULL, NULL);";
    sqlite3(path, sql === "" ? legacy : sql);
    const { status, stderr } = await refusal(path);
    expect(status).toBe(1);
    expect(stderr).toContain(path);
    expect(stderr).toContain(`(${code})`);
  });

  it.each([
    { args: ["list", "--limit", "101"], hint: "Give a whole number from 1 to 100." },
    { args: ["list", "--state", "sleepy"], hint: "Allowed choices are pending, eligible, claimed, resolved." },
    { args: ["list", "--all", "--state", "resolved"], hint: "cannot be used with option '--all'" },
  ])("is not looked at when the command is misused: $args", async ({ args, hint }) => {
    const { status, stderr } = await deferredTurns(args);
    expect(status).toBe(2);
    expect(stderr).toContain(hint);
  });
});
