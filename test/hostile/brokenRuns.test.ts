import { describe, expect, it } from "vitest";
import { reconcile } from "../../src/runtime/reconciliation.ts";
import type { ControllerStore } from "../../src/store/controllerStore.ts";
import { errorOf, plainConnection, storeWorld } from "../store/helpers/storeWorld.ts";
import { interruptionDraft } from "../support/turnWorld.ts";
import { sessionOn } from "./support/illWorld.ts";
import { newPath, withStore } from "./support/stores.ts";

const enqueue = (store: ControllerStore, runId: string, originSessionId: string): string => {
  const json = { workflowSourceJson: "{}", inputJson: "{}", launchOptionsJson: "{}" };
  const workflow = { workflowRef: "w", workflowPath: "w.json", definitionDigest: "0", ...json };
  return store.enqueueWorkflowRun({ runId, originSessionId, ...workflow }).status;
};

const BROKEN_RUNS: readonly (readonly [what: string, set: string])[] = [
  ["a time that is none", "created_at = 'yesterday'"],
  ["a workflow that is no UTF-8", "workflow_ref = CAST(x'61ff' AS TEXT)"],
  ["an input that is a blob", "input_json = x'7b7d'"],
  ["an input of 4 MiB of nothing", "input_json = zeroblob(4194304)"],
  ["a claim that ends at 1e308", "claim_token = 'a', claim_expires_at = 1e308"],
  ["U+0000 in its error", "error_message = 'a' || char(0)"],
];

describe("a run that breaks its contract", () => {
  it.each(BROKEN_RUNS)("by %s is named where it is asked for, and blocks no other", (_what, set) => {
    const { store, path, diagnostics } = storeWorld();
    enqueue(store, "bad", "session-1");
    enqueue(store, "good", "session-2");
    const database = plainConnection(path);
    database.exec(`UPDATE workflow_run_queue SET ${set} WHERE run_id = 'bad'`);
    const row = (): unknown =>
      database.prepare("SELECT status, claim_token, updated_at FROM workflow_run_queue WHERE run_id = 'bad'").all();
    const before = row();
    for (const ask of [
      () => store.getWorkflowRun("bad"),
      () => store.getActiveWorkflowRun("session-1"),
      () => store.claimWorkflowRun({ runId: "bad", runnerId: "r", claimToken: "t", leaseMs: 1000 }),
      () => enqueue(store, "next", "session-1"),
    ]) {
      expect(errorOf(ask).code).toBe("CORRUPT_ROW");
    }
    expect(row()).toEqual(before);
    for (let pass = 0; pass < 2; pass += 1) {
      expect(store.listWorkflowRuns({ limit: 10 }).map(({ runId }) => runId)).toEqual(["good"]);
    }
    expect(diagnostics).toMatchObject([{ code: "CORRUPT_ROW", runId: "bad" }]);
    expect(store.claimWorkflowRun({ runId: "good", runnerId: "r", claimToken: "t", leaseMs: 1000 }).status).toBe(
      "claimed",
    );
    expect(store.finishWorkflowRun({ runId: "bad", status: "cancelled" })).toBe(true);
    expect(enqueue(store, "next", "session-1")).toBe("queued");
  });

  it("by its status is passed over too, and takes nobody's place", () => {
    const { store, path, diagnostics } = storeWorld();
    enqueue(store, "bad", "session-1");
    plainConnection(path).exec("UPDATE workflow_run_queue SET status = 'paused'");
    expect(errorOf(() => store.getWorkflowRun("bad")).code).toBe("CORRUPT_ROW");
    expect(enqueue(store, "next", "session-1")).toBe("queued");
    expect(store.listWorkflowRuns({ limit: 10 }).map(({ runId }) => runId)).toEqual(["next"]);
    expect(diagnostics).toHaveLength(1);
  });
});

describe("an event that breaks its contract", () => {
  it.each([
    ["a payload that is no JSON", "payload_json = 'done'"],
    ["a payload that is a blob", "payload_json = x'7b7d'"],
    ["a payload that is no UTF-8", `payload_json = CAST(x'22ff22' AS TEXT)`],
    ["a time that is none", "recorded_at = 'yesterday'"],
    ["an empty type", "type = ''"],
  ])("by %s is passed over and reported once", (_what, set) => {
    const { store, path, diagnostics } = storeWorld();
    const record = (type: string): number => store.recordRunEvent({ runId: "r", workflowRef: "w", type, payload: {} });
    const [bad] = [record("bad"), record("good")];
    plainConnection(path).exec(`UPDATE run_events SET ${set} WHERE seq = ${bad}`);
    for (let pass = 0; pass < 2; pass += 1) {
      expect(store.listRunEvents({ runId: "r", limit: 1 }).map(({ type }) => type)).toEqual(["good"]);
    }
    expect(diagnostics).toMatchObject([{ code: "CORRUPT_ROW", runId: "r" }]);
  });
});

describe("the reconciliation at the start of a session", () => {
  it("passes over a run that cannot be read, reports it, and serves the others", () => {
    const path = newPath();
    withStore(path, (store) => {
      for (const runId of ["bad", "good"]) {
        enqueue(store, runId, "session-1");
        store.finishWorkflowRun({ runId, status: "failed" });
        store.ensureWorkflowTurnIntent(interruptionDraft({ runId }));
      }
    });
    plainConnection(path).exec("UPDATE workflow_run_queue SET created_at = 'yesterday' WHERE run_id = 'bad'");
    const world = sessionOn(path);
    world.pi.start();
    reconcile(world.session());
    world.periods(5);
    expect(world.turns.diagnostics.recent()).toMatchObject([
      { code: "CORRUPT_ROW", message: expect.stringContaining("reconciling the run bad") },
    ]);
    expect(world.pi.sent.map(({ message }) => message.details?.["runId"])).toEqual(["good"]);
  });
});
