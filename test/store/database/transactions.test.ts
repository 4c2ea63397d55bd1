import { describe, expect, it } from "vitest";
import { Child } from "../helpers/child.ts";
import { draft, errorOf, plainConnection, storeWorld } from "../helpers/storeWorld.ts";

const runIds = (store: ReturnType<typeof storeWorld>["store"]): readonly string[] =>
  store.listWorkflowTurnIntents({ limit: 100 }).intents.map(({ runId }) => runId);

describe("a transaction", () => {
  it("stores what is done in it as a whole", () => {
    const { store, open } = storeWorld();
    const other = open();
    const result = store.transaction((inside) => {
      inside.ensureWorkflowTurnIntent(draft({ runId: "a" }));
      inside.recordRunEvent({ runId: "a", workflowRef: "w", type: "runFailed", payload: {} });
      expect(runIds(other)).toEqual([]);
      return "done";
    });
    expect([result, runIds(other)]).toEqual(["done", ["a"]]);
  });

  it("that throws stores nothing, and passes the error on", () => {
    const { store } = storeWorld();
    const failing = () =>
      store.transaction(() => {
        store.ensureWorkflowTurnIntent(draft());
        throw new Error("changed my mind");
      });
    expect(failing).toThrow("changed my mind");
    expect(runIds(store)).toEqual([]);
  });

  it("inside another one is a part of it: what throws undoes only its own part", () => {
    const { store } = storeWorld();
    store.transaction(() => {
      store.ensureWorkflowTurnIntent(draft({ runId: "a" }));
      const part = () =>
        store.transaction(() => {
          store.ensureWorkflowTurnIntent(draft({ runId: "b" }));
          throw new Error("only this");
        });
      expect(part).toThrow("only this");
      store.ensureWorkflowTurnIntent(draft({ runId: "c" }));
    });
    expect(runIds(store)).toEqual(["a", "c"]);
  });

  it("is not for asynchronous work", () => {
    const { store } = storeWorld();
    expect(() => store.transaction(async () => store.ensureWorkflowTurnIntent(draft()))).toThrow(TypeError);
    expect(runIds(store)).toEqual([]);
  });

  it("that SQLite rolled back by itself takes in nothing more", () => {
    const { store, path } = storeWorld();
    plainConnection(path).exec(
      "CREATE TABLE breaker (x); CREATE TRIGGER break_it BEFORE INSERT ON run_events WHEN NEW.type = 'break' BEGIN SELECT RAISE(ROLLBACK, 'broken'); END;",
    );
    const record = (type: string): unknown => store.recordRunEvent({ runId: "a", workflowRef: "w", type, payload: {} });
    const codes: string[] = [];
    const whole = () =>
      store.transaction(() => {
        record("before");
        codes.push(errorOf(() => record("break")).code);
        codes.push(errorOf(() => record("after")).code);
      });
    expect(whole).toThrow();
    expect(codes).toEqual(["CONTRACT_VIOLATION", "TRANSACTION_ENDED"]);
    expect(plainConnection(path).prepare("SELECT count(*) FROM run_events").pluck().get()).toBe(0);
    expect(record("later")).toBe(1);
  });

  it("reads the clock when it holds the lock", () => {
    const { path, open } = storeWorld();
    const observer = plainConnection(path);
    observer.pragma("busy_timeout = 0");
    let wasLocked = false;
    const store = open({
      now: () => {
        try {
          observer.exec("BEGIN IMMEDIATE; ROLLBACK");
        } catch {
          wasLocked = true;
        }
        return 0;
      },
    });
    store.ensureWorkflowTurnIntent(draft());
    expect(wasLocked).toBe(true);
  });
});

describe("a lock that another process holds", () => {
  it("is waited for no longer than the busy timeout; then nothing is stored", async () => {
    const { path, open, store } = storeWorld();
    const patient = open({ busyTimeoutMs: 200 });
    const holder = new Child("./holdWriteLock.ts", path);
    await holder.says("locked");
    const started = performance.now();
    const error = errorOf(() => patient.ensureWorkflowTurnIntent(draft()));
    const waited = performance.now() - started;
    expect([error.code, error.message]).toEqual(["STORE_BUSY", expect.stringContaining("try again")]);
    expect(waited).toBeGreaterThan(150);
    // Twice the timeout would mean that the call waited twice; the machine may be slow, but not that slow.
    expect(waited).toBeLessThan(390);
    expect(runIds(store)).toEqual([]);
  });

  it("is not waited for at all with a busy timeout of 0", async () => {
    const { path, open } = storeWorld();
    const impatient = open({ busyTimeoutMs: 0 });
    const holder = new Child("./holdWriteLock.ts", path);
    await holder.says("locked");
    expect(errorOf(() => impatient.makeRunTurnIntentsEligible({ runId: "a" })).code).toBe("STORE_BUSY");
    holder.tell("free it");
    await holder.says("free");
    expect(impatient.makeRunTurnIntentsEligible({ runId: "a" })).toBe(0);
  });

  it("keeps nobody from reading", async () => {
    const { path, store } = storeWorld();
    store.ensureWorkflowTurnIntent(draft());
    const holder = new Child("./holdWriteLock.ts", path);
    await holder.says("locked");
    expect(runIds(store)).toEqual(["run-1"]);
  });
});
