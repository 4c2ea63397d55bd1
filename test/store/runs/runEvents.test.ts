import { describe, expect, it } from "vitest";
import { errorOf, storeWorld } from "../helpers/storeWorld.ts";

describe("the history of a run", () => {
  it("is listed in the order of recording, without the events of other runs", () => {
    const { store } = storeWorld();
    const record = (runId: string, type: string) =>
      store.recordRunEvent({ runId, workflowRef: "w", type, payload: {} });
    record("run-1", "runStarted");
    record("run-2", "runStarted");
    record("run-1", "stepStarted");
    const types = store.listRunEvents({ runId: "run-1", limit: 100 }).map(({ type }) => type);
    expect(types).toEqual(["runStarted", "stepStarted"]);
  });

  it("goes on after an event, and is bounded", () => {
    const { store } = storeWorld();
    const seqs = [1, 2, 3].map((n) =>
      store.recordRunEvent({ runId: "run-1", workflowRef: "w", type: "e", payload: { n } }),
    );
    const list = store.listRunEvents({ runId: "run-1", after: seqs[0] ?? 0, limit: 1 });
    expect(list).toMatchObject([{ payloadJson: '{"n":2}' }]);
    expect(errorOf(() => store.listRunEvents({ runId: "run-1", limit: 101 })).code).toBe("INVALID_ARGUMENT");
  });
});
