import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkNode } from "../../src/cli/doctor/programs.ts";
import { BARE_TABLE, insertIntent, SCHEMA_INFO, sqlite3, text } from "../store/helpers/bareStore.ts";
import { draft, runClaim, type StoreWorld, storeWorld, temporaryFolder } from "../store/helpers/storeWorld.ts";
import { deferredTurns, type Outcome } from "./support/commandLine.ts";

interface Finding {
  readonly check: string;
  readonly status: string;
  readonly message: string;
  readonly action?: string;
  readonly code?: string;
}

const doctor = (path: string, world?: StoreWorld): Promise<Outcome> =>
  deferredTurns(["doctor", "--store", path, "--json"], world === undefined ? {} : { now: world.clock.now });

const findingsIn = ({ stdout }: Outcome): readonly Finding[] => JSON.parse(stdout).findings;

/** What is not in order. */
const flawsIn = (outcome: Outcome): readonly Finding[] =>
  findingsIn(outcome).filter(({ status, check }) => status !== "ok" && check !== "pi");

/** A store with an intent, after another program was at it. */
function changedStore(sql: string): string {
  const { path, store } = storeWorld();
  store.ensureWorkflowTurnIntent(draft());
  store.close();
  sqlite3(path, sql);
  return path;
}

describe("deferred-turns doctor", () => {
  it("finds nothing to do at a store of this version", async () => {
    const world = storeWorld();
    world.store.ensureWorkflowTurnIntent(draft());
    const outcome = await doctor(world.path, world);
    expect(outcome.status).toBe(0);
    expect(findingsIn(outcome).map(({ check, status }) => `${check} ${status}`)).toEqual([
      "package ok",
      "node ok",
      "sqlite ok",
      "pi note",
      "place ok",
      "store ok",
      "layout ok",
      "rows ok",
      "claims ok",
    ]);
  });

  it.each([
    {
      flaw: "a guard that is gone",
      sql: "DROP TRIGGER workflow_turn_intents_guard_delete;",
      finding: {
        check: "layout",
        message: expect.stringContaining("the guard workflow_turn_intents_guard_delete is missing"),
      },
    },
    {
      flaw: "an index of another form",
      sql: "DROP INDEX workflow_turn_intents_run; CREATE INDEX workflow_turn_intents_run ON workflow_turn_intents (cause);",
      finding: { check: "layout", message: expect.stringContaining("the index workflow_turn_intents_run is outdated") },
    },
    {
      flaw: "a row that cannot be read",
      sql: `INSERT INTO run_events (recorded_at, run_id, workflow_ref, type, payload_json) VALUES ('noon', 'r', 'w', 't', '{}');`,
      finding: { check: "rows", code: "CORRUPT_ROW", message: expect.stringContaining("rowid 1 of run_events") },
    },
    {
      flaw: "undelivered rows of an earlier alpha",
      sql: "INSERT INTO workflow_notifications VALUES ('n', 'r', 'n', 'a', 1, 's', 'launch_failure', 'c', '2026-08-21T08:00:00.000Z', NULL, NULL, NULL);",
      finding: {
        check: "store",
        code: "LEGACY_LAUNCH_FAILURES",
        action: expect.stringContaining("To start with a new store"),
      },
    },
    {
      flaw: "another layout",
      sql: "UPDATE schema_info SET schema_id = 'pi-workflows.controller-store.v2';",
      finding: { check: "store", code: "INCOMPATIBLE_STORE", action: expect.stringContaining("move") },
    },
  ])("says what to do about $flaw", async ({ sql, finding }) => {
    const outcome = await doctor(changedStore(sql));
    expect(outcome).toMatchObject({ status: 1, stderr: "1 problem found." });
    expect(flawsIn(outcome)).toEqual([
      expect.objectContaining({ status: "problem", action: expect.stringMatching(/\.$/), ...finding }),
    ]);
  });

  it("finds two unresolved intents of one run and session, which an older program left", async () => {
    const path = join(temporaryFolder(), "controller.sqlite");
    sqlite3(path, SCHEMA_INFO + BARE_TABLE + insertIntent(draft()) + insertIntent(draft({ attemptId: "2" })));
    storeWorld(path).store.close();
    const outcome = await doctor(path);
    expect(outcome.status).toBe(1);
    expect(flawsIn(outcome)).toContainEqual(expect.objectContaining({ code: "DUPLICATE_PENDING_INTENTS" }));
  });

  it("finds damage, in its words", async () => {
    const path = join(temporaryFolder(), "controller.sqlite");
    writeFileSync(path, "no database, but long enough to be taken for one".repeat(100), { mode: 0o600 });
    const outcome = await doctor(path);
    expect(flawsIn(outcome)).toEqual([expect.objectContaining({ check: "store", code: "INCOMPATIBLE_STORE" })]);
  });

  it("finds files that other users may read, and gives the command that closes them", async () => {
    const world = storeWorld();
    world.store.close();
    chmodSync(world.path, 0o644);
    const outcome = await doctor(world.path);
    expect(flawsIn(outcome)).toEqual([
      expect.objectContaining({ check: "place", action: expect.stringContaining(`chmod 600 '${world.path}'`) }),
    ]);
  });

  it("notes a claim that ran out, and views that are not there: nothing breaks by them", async () => {
    const world = storeWorld();
    world.store.ensureWorkflowTurnIntent(draft());
    world.store.claimWorkflowTurnIntentForRun(runClaim("a"));
    sqlite3(world.path, "DROP VIEW pending_turn_intents;");
    expect(flawsIn(await doctor(world.path, world))).toEqual([
      expect.objectContaining({ check: "layout", status: "note" }),
    ]);
    world.clock.advance(60_000);
    const outcome = await doctor(world.path, world);
    expect(outcome.status).toBe(0);
    expect(flawsIn(outcome)).toContainEqual(
      expect.objectContaining({
        check: "claims",
        status: "note",
        action: expect.stringContaining("Open session session-1 in Pi"),
      }),
    );
  });

  it("takes a project without a store for one in which no workflow ran yet, and makes none", async () => {
    expect(await deferredTurns(["doctor"])).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("no workflow ran"),
    });
    expect(await doctor("/nowhere/controller.sqlite")).toMatchObject({ status: 1 });
  });

  it.each([
    ["1.2.9", "problem"],
    ["1.3.0", "ok"],
    ["2.0.0-beta.1", "ok"],
  ])("judges Pi %s: %s", async (version, status) => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "pi-coding-agent", "dist"), { recursive: true });
    const name = "@earendil-works/pi-coding-agent";
    writeFileSync(join(folder, "pi-coding-agent", "package.json"), JSON.stringify({ name, version }));
    writeFileSync(join(folder, "pi-coding-agent", "dist", "cli.js"), "");
    symlinkSync(join(folder, "pi-coding-agent", "dist", "cli.js"), join(folder, "pi"));
    const outcome = await deferredTurns(["doctor", "--json"], { environment: { PATH: folder, HOME: folder } });
    expect(findingsIn(outcome)).toContainEqual(expect.objectContaining({ check: "pi", status }));
  });

  it.each([
    ["22.18.0", "problem"],
    ["22.19.0", "ok"],
    ["24.1.0", "ok"],
    ["9.99.0", "problem"],
  ])("judges Node %s: %s", (version, status) => {
    expect(checkNode(version).status).toBe(status);
  });

  it("tells a person the same in lines", async () => {
    const { stdout, status } = await deferredTurns([
      "doctor",
      "--store",
      changedStore(`UPDATE schema_info SET schema_id = ${text("x")};`),
    ]);
    expect(status).toBe(1);
    expect(stdout).toMatch(
      /^PROBLEM {2}store {4}.* cannot be used as a controller store: .*\n {18}The file was left as it is\./m,
    );
  });
});
