import { cpSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { openControllerStore } from "../../src/store/openControllerStore.ts";
import { afterTest, draft, storeWorld, temporaryFolder } from "../store/helpers/storeWorld.ts";
import { fill, withStore } from "./support/stores.ts";

/** What becomes of a store's files while it is open. */
const LOSSES: readonly (readonly [what: string, lose: (path: string) => void])[] = [
  ["its file is deleted", (path) => rmSync(path)],
  ["its folder is deleted", (path) => rmSync(dirname(path), { recursive: true })],
  ["its file is moved away", (path) => renameSync(path, `${path}.old`)],
  ["another store takes its place", replaceByStore],
  ["its log is deleted", (path) => rmSync(`${path}-wal`)],
  ["the index of its log is deleted", (path) => rmSync(`${path}-shm`)],
  ["its log and the log's index are deleted", (path) => removeLog(path)],
  ["another log takes its log's place", (path) => writeAnew(`${path}-wal`)],
];

function removeLog(path: string): void {
  for (const ending of ["-wal", "-shm"]) rmSync(path + ending);
}

function replaceByStore(path: string): void {
  const other = join(temporaryFolder(), "other.sqlite");
  withStore(other, (store) => store.recordRunEvent({ runId: "r", workflowRef: "w", type: "other", payload: {} }));
  renameSync(other, path);
}

function writeAnew(path: string): void {
  writeFileSync(`${path}.new`, "");
  renameSync(`${path}.new`, path);
}

describe("a store under which, while it is open,", () => {
  it.each(LOSSES)("%s, notices it, and works on the files that are there after its reopening", (_what, lose) => {
    const { store, path } = storeWorld();
    store.ensureWorkflowTurnIntent(draft());
    expect(store.checkFile()).toBe("same");
    lose(path);
    expect(store.checkFile()).toBe("replaced");
    store.reopen();
    expect(store.checkFile()).toBe("same");
    expect(["created", "existing"]).toContain(store.ensureWorkflowTurnIntent(draft()).outcome);
    const seen = withStore(path, (other) => other.getWorkflowTurnIntent(draft().intentId));
    expect(seen).toBeDefined();
  });

  it("its log is deleted, has lost nothing when it is reopened before others open it", () => {
    const { store, path } = storeWorld();
    store.ensureWorkflowTurnIntent(draft());
    removeLog(path);
    store.ensureWorkflowTurnIntent(draft({ runId: "run-2" }));
    store.reopen();
    expect(store.listWorkflowTurnIntents({ limit: 10 }).intents.map(({ runId }) => runId)).toEqual(["run-1", "run-2"]);
  });

  it("another store takes its place, mixes nothing of the old one's log into the new one", () => {
    const { store, path } = storeWorld();
    store.ensureWorkflowTurnIntent(draft());
    replaceByStore(path);
    store.reopen();
    expect(store.listRunEvents({ runId: "r", limit: 10 }).map(({ type }) => type)).toEqual(["other"]);
    expect(store.getWorkflowTurnIntent(draft().intentId)).toBeUndefined();
  });

  it("nothing happens, stays the same while others open it, write to it and close it", () => {
    const { store, path, open } = storeWorld();
    open().close();
    fill(path);
    open({ readonly: true }).close();
    expect(store.checkFile()).toBe("same");
  });
});

describe("the log that a dead process left", () => {
  it("is read, and what it holds is kept", () => {
    const { store, path } = storeWorld();
    store.ensureWorkflowTurnIntent(draft());
    const left = join(temporaryFolder(), basename(path));
    for (const ending of ["", "-wal"]) cpSync(path + ending, left + ending);
    const opened = openControllerStore({ path: left });
    afterTest(() => opened.close());
    expect(opened.getWorkflowTurnIntent(draft().intentId)).toBeDefined();
    expect(readdirSync(dirname(left)).sort()).toEqual([
      "controller.sqlite",
      "controller.sqlite-shm",
      "controller.sqlite-wal",
    ]);
  });
});
