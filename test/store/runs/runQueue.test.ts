import { describe, expect, it } from "vitest";
import type { WorkflowRunStatus } from "../../../generated/records.ts";
import type { EnqueueWorkflowRun } from "../../../src/store/runs/runQueue.ts";
import { sqlite3 } from "../helpers/bareStore.ts";
import { draft, errorOf, type StoreWorld, storeWorld } from "../helpers/storeWorld.ts";

const launch = (changes: Partial<EnqueueWorkflowRun> = {}): EnqueueWorkflowRun => ({
  runId: "run-1",
  workflowRef: "autoimplement",
  workflowPath: "/project/workflows/autoimplement.ts",
  workflowSourceJson: '{"kind":"file"}',
  definitionDigest: "0".repeat(64),
  inputJson: "{}",
  launchOptionsJson: "{}",
  originSessionId: "session-1",
  ...changes,
});

const claim = (claimToken: string, leaseMs = 1000) => ({
  runId: "run-1",
  runnerId: `runner-${claimToken}`,
  claimToken,
  leaseMs,
});

function worldWithRun(): StoreWorld {
  const world = storeWorld();
  world.store.enqueueWorkflowRun(launch());
  return world;
}

const statusOf = ({ store }: StoreWorld, runId = "run-1"): WorkflowRunStatus | undefined =>
  store.getWorkflowRun(runId)?.status;
const eventsOf = ({ path }: StoreWorld): string =>
  sqlite3(path, "SELECT type || payload_json FROM run_events ORDER BY seq");

describe("the end of a run", () => {
  it("is refused with a message that would make its row unreadable", () => {
    const world = worldWithRun();
    const finish = { runId: "run-1", status: "failed", errorMessage: "a\0b" } as const;
    expect(errorOf(() => world.store.finishWorkflowRun(finish)).code).toBe("INVALID_ARGUMENT");
    expect(statusOf(world)).toBe("queued");
  });
});

describe("a launch", () => {
  it("is queued", () => {
    const { store } = storeWorld();
    const { status, run } = store.enqueueWorkflowRun(launch());
    expect(status).toBe("queued");
    expect(run).toMatchObject({
      ...launch(),
      status: "queued",
      createdAt: "2026-08-21T08:17:31.000Z",
      claimToken: null,
    });
    expect(store.getWorkflowRun("run-1")).toEqual(run);
  });

  it("that is repeated finds its run", () => {
    const { store } = worldWithRun();
    store.claimWorkflowRun(claim("a"));
    expect(store.enqueueWorkflowRun(launch())).toMatchObject({ status: "existing", run: { status: "starting" } });
  });

  it("waits for the active run of its session", () => {
    const world = worldWithRun();
    const second = launch({ runId: "run-2" });
    expect(world.store.enqueueWorkflowRun(second)).toMatchObject({ status: "sessionBusy", run: { runId: "run-1" } });
    world.store.parkWorkflowRun({ runId: "run-1" });
    expect(world.store.enqueueWorkflowRun(second).status).toBe("queued");
    expect(world.store.enqueueWorkflowRun(launch({ runId: "run-3", originSessionId: "session-2" })).status).toBe(
      "queued",
    );
    expect(world.store.enqueueWorkflowRun(launch({ runId: "run-4", originSessionId: null })).status).toBe("queued");
  });

  it("waits for good when its parent has a child", () => {
    const { store } = storeWorld();
    const child = (runId: string) => launch({ runId, originSessionId: null, parentRunId: "parent" });
    store.enqueueWorkflowRun(child("run-1"));
    expect(store.enqueueWorkflowRun(child("run-2"))).toMatchObject({ status: "parentBusy", run: { runId: "run-1" } });
  });

  it("that breaks its contract is refused, with the place", () => {
    const error = errorOf(() => storeWorld().store.enqueueWorkflowRun(launch({ workflowRef: "" })));
    expect([error.code, error.path]).toEqual(["CONTRACT_VIOLATION", "/workflowRef"]);
  });
});

describe("the claim on a run", () => {
  it("starts a queued run", () => {
    const { store, clock } = worldWithRun();
    expect(store.claimWorkflowRun(claim("a"))).toMatchObject({
      status: "claimed",
      tookOver: false,
      lostClaimToken: null,
      run: { status: "starting", runnerId: "runner-a", claimToken: "a", claimExpiresAt: clock.now() + 1000 },
    });
  });

  it("keeps others out while it lives", () => {
    const { store, clock } = worldWithRun();
    store.claimWorkflowRun(claim("a"));
    expect(store.claimWorkflowRun(claim("b"))).toEqual({ status: "claimedByOther", until: clock.now() + 1000 });
  });

  it("with the same token renews and keeps the status", () => {
    const { store } = worldWithRun();
    store.claimWorkflowRun(claim("a"));
    store.markWorkflowRunRunning({ runId: "run-1", claimToken: "a" });
    expect(store.claimWorkflowRun(claim("a"))).toMatchObject({
      status: "claimed",
      tookOver: false,
      run: { status: "running" },
    });
  });

  it("passes on when it lapsed, and the takeover is recorded with what was lost", () => {
    const world = worldWithRun();
    world.store.claimWorkflowRun(claim("a"));
    world.store.markWorkflowRunRunning({ runId: "run-1", claimToken: "a" });
    world.clock.advance(1000);
    expect(world.store.claimWorkflowRun(claim("b"))).toMatchObject({
      status: "claimed",
      tookOver: true,
      lostClaimToken: "a",
      run: { status: "starting", runnerId: "runner-b" },
    });
    expect(eventsOf(world)).toBe('runTakenOver{"lostRunnerId":"runner-a"}');
  });

  it("fences every write of the old runner", () => {
    const world = worldWithRun();
    const { store } = world;
    store.claimWorkflowRun(claim("a"));
    world.clock.advance(1000);
    store.claimWorkflowRun(claim("b"));
    const old = { runId: "run-1", claimToken: "a" } as const;
    expect(store.renewWorkflowRunClaim({ ...old, leaseMs: 1000 })).toBe(false);
    expect(store.markWorkflowRunRunning(old)).toBe(false);
    expect(store.parkWorkflowRun(old)).toBe(false);
    expect(store.holdWorkflowRun(old)).toBe(false);
    expect(store.finishWorkflowRun({ ...old, status: "failed" })).toBe(false);
    expect(statusOf(world)).toBe("starting");
  });

  it("that lapsed unnoticed is taken up again by its owner", () => {
    const { store, clock } = worldWithRun();
    store.claimWorkflowRun(claim("a"));
    clock.advance(5000);
    expect(store.renewWorkflowRunClaim({ runId: "run-1", claimToken: "a", leaseMs: 1000 })).toBe(true);
    expect(store.claimWorkflowRun(claim("b")).status).toBe("claimedByOther");
  });

  it("meets nothing at a run that waits, has ended or is unknown", () => {
    const { store } = worldWithRun();
    store.parkWorkflowRun({ runId: "run-1" });
    expect(store.claimWorkflowRun(claim("a"))).toEqual({ status: "none" });
    store.finishWorkflowRun({ runId: "run-1", status: "cancelled" });
    expect(store.claimWorkflowRun(claim("a"))).toEqual({ status: "none" });
    expect(store.claimWorkflowRun({ ...claim("a"), runId: "unknown" })).toEqual({ status: "none" });
  });

  it("and the intent that a takeover leaves behind are one transaction", () => {
    const { store, clock } = worldWithRun();
    store.claimWorkflowRun(claim("a"));
    clock.advance(1000);
    const takeOver = () =>
      store.transaction(() => {
        store.claimWorkflowRun(claim("b"));
        store.ensureWorkflowTurnIntent({ ...draft({ cause: "claimLost" }), workflowRef: "" });
      });
    expect(errorOf(takeOver).code).toBe("CONTRACT_VIOLATION");
    expect(store.getWorkflowRun("run-1")?.claimToken).toBe("a");
  });
});

describe("a run", () => {
  it("that is executed keeps the time of its first start", () => {
    const { store, clock } = worldWithRun();
    store.claimWorkflowRun(claim("a"));
    store.markWorkflowRunRunning({ runId: "run-1", claimToken: "a" });
    clock.advance(10);
    store.markWorkflowRunRunning({ runId: "run-1", claimToken: "a" });
    expect(store.getWorkflowRun("run-1")).toMatchObject({
      status: "running",
      startedAt: "2026-08-21T08:17:31.000Z",
      updatedAt: "2026-08-21T08:17:31.010Z",
    });
  });

  it("ends once, with its error and without a claim", () => {
    const { store } = worldWithRun();
    store.claimWorkflowRun(claim("a"));
    const end = {
      runId: "run-1",
      claimToken: "a",
      status: "failed",
      errorCode: "E",
      errorMessage: "it broke",
    } as const;
    expect(store.finishWorkflowRun(end)).toBe(true);
    expect(store.finishWorkflowRun({ runId: "run-1", status: "done" })).toBe(false);
    expect(store.getWorkflowRun("run-1")).toMatchObject({
      status: "failed",
      errorCode: "E",
      errorMessage: "it broke",
      claimToken: null,
      claimExpiresAt: null,
      finishedAt: "2026-08-21T08:17:31.000Z",
    });
  });

  it("ends only in a status that is an end", () => {
    const { store } = worldWithRun();
    expect(errorOf(() => store.finishWorkflowRun({ runId: "run-1", status: "parked" as "done" })).path).toBe("/status");
  });
});

describe("a run that a person holds", () => {
  it("is parked until it is resumed", () => {
    const world = worldWithRun();
    world.store.claimWorkflowRun(claim("a"));
    expect(world.store.isWorkflowRunHeld("run-1")).toBe(false);
    expect(world.store.holdWorkflowRun({ runId: "run-1", claimToken: "a" })).toBe(true);
    expect([world.store.isWorkflowRunHeld("run-1"), statusOf(world)]).toEqual([true, "parked"]);
    expect(world.store.resumeWorkflowRun({ runId: "run-1" })).toBe("resumed");
    expect([world.store.isWorkflowRunHeld("run-1"), statusOf(world)]).toEqual([false, "queued"]);
    expect(eventsOf(world)).toBe("runHeld{}\nrunResumed{}");
  });

  it("is held once, however often it is said", () => {
    const world = worldWithRun();
    world.store.holdWorkflowRun({ runId: "run-1" });
    expect(world.store.holdWorkflowRun({ runId: "run-1" })).toBe(true);
    expect(eventsOf(world)).toBe("runHeld{}");
  });

  it("is another thing than one that waits for something outside", () => {
    const { store } = worldWithRun();
    store.parkWorkflowRun({ runId: "run-1" });
    expect(store.isWorkflowRunHeld("run-1")).toBe(false);
    expect(store.holdWorkflowRun({ runId: "run-1" })).toBe(true);
    expect(store.isWorkflowRunHeld("run-1")).toBe(true);
  });

  it("is not held when it waits again after a resumption", () => {
    const { store } = worldWithRun();
    store.holdWorkflowRun({ runId: "run-1" });
    store.resumeWorkflowRun({ runId: "run-1" });
    store.parkWorkflowRun({ runId: "run-1" });
    expect(store.isWorkflowRunHeld("run-1")).toBe(false);
  });

  it("can be ended, and is not held then", () => {
    const { store } = worldWithRun();
    store.holdWorkflowRun({ runId: "run-1" });
    expect(store.finishWorkflowRun({ runId: "run-1", status: "cancelled" })).toBe(true);
    expect(store.isWorkflowRunHeld("run-1")).toBe(false);
    expect(store.resumeWorkflowRun({ runId: "run-1" })).toBe("notParked");
    expect(store.holdWorkflowRun({ runId: "run-1" })).toBe(false);
  });

  it("waits when another run is active in its session", () => {
    const { store } = worldWithRun();
    store.holdWorkflowRun({ runId: "run-1" });
    store.enqueueWorkflowRun(launch({ runId: "run-2" }));
    expect(store.resumeWorkflowRun({ runId: "run-1" })).toBe("sessionBusy");
    expect(store.isWorkflowRunHeld("run-1")).toBe(true);
  });
});

describe("a listing of runs", () => {
  function worldWithRuns(): StoreWorld {
    const world = storeWorld();
    for (const [runId, originSessionId] of [
      ["a", "session-1"],
      ["b", "session-2"],
      ["c", "session-1"],
    ] as const) {
      world.store.enqueueWorkflowRun(launch({ runId, originSessionId }));
      if (runId === "a") world.store.finishWorkflowRun({ runId, status: "failed" });
    }
    return world;
  }

  it("has the newest first", () => {
    const { store } = worldWithRuns();
    const ids = (listing: Parameters<typeof store.listWorkflowRuns>[0]) =>
      store.listWorkflowRuns(listing).map(({ runId }) => runId);
    expect(ids({ limit: 10 })).toEqual(["c", "b", "a"]);
    expect(ids({ limit: 2 })).toEqual(["c", "b"]);
    expect(ids({ originSessionId: "session-1", limit: 10 })).toEqual(["c", "a"]);
    expect(ids({ originSessionId: "session-1", statuses: ["failed", "done"], limit: 10 })).toEqual(["a"]);
  });

  it("passes over a row that cannot be read and reports it once", () => {
    const { store, path, diagnostics } = worldWithRuns();
    sqlite3(path, "UPDATE workflow_run_queue SET updated_at = 'yesterday' WHERE run_id = 'b'");
    for (const _ of [1, 2]) expect(store.listWorkflowRuns({ limit: 10 }).map(({ runId }) => runId)).toEqual(["c", "a"]);
    expect(diagnostics).toMatchObject([{ code: "CORRUPT_ROW", runId: "b" }]);
    expect(errorOf(() => store.getWorkflowRun("b")).path).toBe("/updated_at");
  });

  it("names its statuses or leaves them out", () => {
    const { store } = worldWithRuns();
    expect(errorOf(() => store.listWorkflowRuns({ statuses: [], limit: 1 })).path).toBe("/statuses");
    expect(errorOf(() => store.listWorkflowRuns({ statuses: ["lost" as "done"], limit: 1 })).path).toBe("/statuses");
  });
});

describe("a run event", () => {
  it("is recorded in the order of happening, with its payload as JSON", () => {
    const world = storeWorld();
    const record = (type: string, payload: unknown): number =>
      world.store.recordRunEvent({ runId: "run-1", workflowRef: "w", type, runnerId: "r", payload });
    expect([record("one", { a: [1] }), record("two", null)]).toEqual([1, 2]);
    expect(eventsOf(world)).toBe('one{"a":[1]}\ntwonull');
  });

  it("needs a payload that can be written", () => {
    const { store } = storeWorld();
    const error = errorOf(() => store.recordRunEvent({ runId: "r", workflowRef: "w", type: "t", payload: undefined }));
    expect([error.code, error.path]).toEqual(["INVALID_ARGUMENT", "/payload"]);
  });
});
