import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { readHistory } from "../../src/runtime/runHistory.ts";
import type { ControllerStore } from "../../src/store/controllerStore.ts";
import { openControllerStore } from "../../src/store/openControllerStore.ts";
import { requestInterrupt } from "../../src/store/runs/interruptRequests.ts";
import { temporaryFolder } from "../support/turnWorld.ts";

let store: ControllerStore;
beforeEach(() => {
  store = openControllerStore({ path: join(temporaryFolder(), "controller.sqlite") });
  const json = { workflowSourceJson: "{}", definitionDigest: "0", inputJson: "{}", launchOptionsJson: "{}" };
  store.enqueueWorkflowRun({ runId: "run-1", workflowRef: "w", workflowPath: "w.json", ...json });
  return () => store.close();
});

const record = (type: string, payload: unknown): number =>
  store.recordRunEvent({ runId: "run-1", workflowRef: "w", type, payload });

describe("the history of a run", () => {
  it("is read to its end, and so is a controller's request behind more events than one page has", () => {
    for (let n = 0; n < 250; n += 1)
      record("stepCompleted", { type: "stepCompleted", nodeId: `step-${n}`, result: "" });
    requestInterrupt(store, "run-1", "called off");
    const { progress, interrupt, lastSeq } = readHistory(store, "run-1");
    expect(Object.keys(progress.steps)).toHaveLength(250);
    expect(interrupt).toEqual({ reason: "called off" });
    expect(lastSeq).toBe(251);
  });

  it.each([null, 7, { reason: 7 }])("hears a request that gives %j for a reason, without one", (payload) => {
    record("interruptRequested", payload);
    expect(readHistory(store, "run-1").interrupt).toEqual({ reason: null });
  });

  it.each([null, 7, {}, { type: "stepStarted", nodeId: 1 }, { type: "stepCompleted", nodeId: "a", result: "" }])(
    "cannot be gone on with when a step's event says %j",
    (payload) => {
      record("stepStarted", payload);
      expect(() => readHistory(store, "run-1")).toThrow(expect.objectContaining({ code: "CORRUPT_ROW" }));
    },
  );

  it("presented nothing when its end says null", () => {
    record("runEnded", null);
    expect(readHistory(store, "run-1").presentation).toBeUndefined();
  });

  it("has what the run presented at its end", () => {
    record("runEnded", { status: "done", presentation: "All done." });
    expect(readHistory(store, "run-1").presentation).toBe("All done.");
  });

  it("has the question that is open, and none once it is answered", () => {
    record("questionAsked", { type: "questionAsked", nodeId: "ask", question: "Which?" });
    expect(readHistory(store, "run-1").presentation).toBe("Which?");
    record("stepCompleted", { type: "stepCompleted", nodeId: "ask", result: "this" });
    expect(readHistory(store, "run-1").presentation).toBeUndefined();
  });
});
