import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { DeferredTurnsError } from "../../../src/contracts/errors.ts";
import type { ControllerStore } from "../../../src/store/controllerStore.ts";
import { openControllerStore } from "../../../src/store/openControllerStore.ts";
import { draft, temporaryFolder } from "../../store/helpers/storeWorld.ts";

/** A path for a store in a folder of its own. */
export const newPath = (): string => join(temporaryFolder(), "controller.sqlite");

/** Opens a store, does something with it and closes it. */
export function withStore<Result>(path: string, work: (store: ControllerStore) => Result, readonly = false): Result {
  const store = openControllerStore({ path, readonly, busyTimeoutMs: 50 });
  try {
    return work(store);
  } finally {
    store.close();
  }
}

/** How many intents `fill` stores in a session, all eligible. */
export const PER_SESSION = 10;

export const SESSIONS = ["session-1", "session-2", "session-3"] as const;

/** Stores intents of several sessions, each with its run and an event of it. */
export function fill(path: string): void {
  withStore(path, (store) =>
    store.transaction(() => {
      for (const targetSessionId of SESSIONS) {
        for (let n = 0; n < PER_SESSION; n += 1) addRun(store, targetSessionId, `${targetSessionId}-run-${n}`);
      }
    }),
  );
}

function addRun(store: ControllerStore, targetSessionId: string, runId: string): void {
  const workflow = { workflowRef: "w", workflowPath: "w.json", workflowSourceJson: "{}", definitionDigest: "0" };
  store.enqueueWorkflowRun({ ...workflow, runId, inputJson: "{}", launchOptionsJson: "{}" });
  store.recordRunEvent({ runId, workflowRef: "w", type: "stepStarted", payload: { nodeId: "step" } });
  store.ensureWorkflowTurnIntent({ ...draft({ runId, targetSessionId }), eligible: true });
}

/** A closed store without rows, in a folder of its own. */
export function emptyStore(): string {
  const path = newPath();
  withStore(path, () => undefined);
  return path;
}

/** A closed store with rows, in a folder of its own. */
export function filledStore(): string {
  const path = newPath();
  fill(path);
  return path;
}

/** Sets the permissions of a store's file and of the log beside it, if there is one. */
export function chmodStore(path: string, mode: number): void {
  for (const ending of ["", "-wal", "-shm"]) if (existsSync(path + ending)) chmodSync(path + ending, mode);
}

/** "done", or the code of the DeferredTurnsError that was thrown. Whatever else is thrown fails the test. */
export function outcomeOf(work: () => unknown): string {
  try {
    work();
    return "done";
  } catch (error) {
    if (error instanceof DeferredTurnsError && error.message.length > 40) return error.code;
    throw error;
  }
}
