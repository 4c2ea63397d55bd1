import { mkdirSync, renameSync, rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openControllerStore } from "../../../src/store/openControllerStore.ts";
import { draft, errorOf, storeWorld } from "../helpers/storeWorld.ts";

function remove(path: string): void {
  for (const ending of ["", "-wal", "-shm"]) rmSync(path + ending, { force: true });
}

describe("a store's file", () => {
  it("is the same while nobody touches it", () => {
    const { store, open } = storeWorld();
    open().close();
    expect(store.checkFile()).toBe("same");
  });

  it("that was deleted is noticed, and made anew at the reopening", () => {
    const { store, path } = storeWorld();
    store.ensureWorkflowTurnIntent(draft());
    remove(path);
    expect(store.checkFile()).toBe("replaced");
    store.reopen();
    expect(store.checkFile()).toBe("same");
    expect(store.getWorkflowTurnIntent(draft().intentId)).toBeUndefined();
    expect(store.ensureWorkflowTurnIntent(draft()).outcome).toBe("created");
  });

  it("that was replaced is noticed, and the new one is used after the reopening", () => {
    const { store, path } = storeWorld();
    remove(path);
    const other = openControllerStore({ path });
    other.ensureWorkflowTurnIntent(draft());
    other.close();
    expect(store.checkFile()).toBe("replaced");
    store.reopen();
    expect(store.getWorkflowTurnIntent(draft().intentId)).toBeDefined();
  });

  it("that cannot be opened again keeps the store out of use until it can", () => {
    const { store, path } = storeWorld();
    remove(path);
    mkdirSync(path);
    expect(errorOf(() => store.reopen()).code).toBe("STORE_FAILED");
    expect(store.checkFile()).toBe("replaced");
    expect(errorOf(() => store.getWorkflowTurnIntent("x")).code).toBe("STORE_REPLACED");
    rmSync(path, { recursive: true });
    store.reopen();
    expect(store.getWorkflowTurnIntent("x")).toBeUndefined();
  });

  it("that was moved away is noticed too", () => {
    const { store, path } = storeWorld();
    renameSync(path, `${path}.old`);
    expect(store.checkFile()).toBe("replaced");
  });
});

describe("a closed store", () => {
  it("can be closed again, and refuses everything else with a sentence", () => {
    const { store } = storeWorld();
    store.close();
    store.close();
    const error = errorOf(() => store.getWorkflowTurnIntent("x"));
    expect([error.code, error.message]).toEqual(["STORE_FAILED", expect.stringContaining("was closed")]);
  });
});
