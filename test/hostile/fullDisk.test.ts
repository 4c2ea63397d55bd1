import { rmSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openControllerStore } from "../../src/store/openControllerStore.ts";
import { afterTest, draft, errorOf } from "../store/helpers/storeWorld.ts";
import { canMount, Mount } from "./support/mounts.ts";
import { fill, outcomeOf, withStore } from "./support/stores.ts";

const PAGE = 4096;

describe.skipIf(!canMount())("a full disk", () => {
  it("keeps a store from being made, whatever room is left for a part of it, and the next attempt makes it", () => {
    const mount = new Mount();
    const path = join(mount.folder, "controller.sqlite");
    for (const pages of [0, 1, 2, 4, 8, 12, 16, 24, 30]) {
      for (const ending of ["", "-wal", "-shm", "-journal"]) rmSync(path + ending, { force: true });
      mount.empty();
      mount.fill();
      const filler = join(mount.folder, "filler");
      truncateSync(filler, statSync(filler).size - pages * PAGE);
      const { code, message } = errorOf(() => openControllerStore({ path }));
      expect([pages, code, message]).toEqual([pages, "STORE_FAILED", expect.stringContaining("is full")]);
      mount.empty();
      expect(withStore(path, (store) => store.ensureWorkflowTurnIntent(draft()).outcome)).toBe("created");
    }
  });

  it("is told when not even the folder can be made", () => {
    const mount = new Mount();
    mount.fill();
    const path = join(mount.folder, "a", "b", "controller.sqlite");
    expect(errorOf(() => openControllerStore({ path })).message).toContain("is full");
  });

  it("refuses a change as a whole, answers questions, and the same change is stored when there is room", () => {
    const mount = new Mount();
    const path = join(mount.folder, "controller.sqlite");
    fill(path);
    const store = openControllerStore({ path });
    afterTest(() => store.close());
    store.recordRunEvent({ runId: "r", workflowRef: "w", type: "before", payload: {} });
    mount.fill();
    const long = "x".repeat(8000);
    const change = (): void =>
      store.transaction(() => {
        store.recordRunEvent({ runId: "r", workflowRef: "w", type: "half", payload: { long: long.repeat(10) } });
        store.ensureWorkflowTurnIntent(draft({ reason: long }));
      });
    const { code, message } = errorOf(change);
    expect([code, message]).toEqual(["STORE_FAILED", expect.stringContaining("nothing was stored")]);
    const types = (): readonly string[] => store.listRunEvents({ runId: "r", limit: 10 }).map(({ type }) => type);
    expect(types()).toEqual(["before"]);
    expect(store.getWorkflowTurnIntent(draft().intentId)).toBeUndefined();
    mount.empty();
    change();
    expect(types()).toEqual(["before", "half"]);
    expect(store.getWorkflowTurnIntent(draft().intentId)).toBeDefined();
  });

  it("keeps a store that is there in use for as long as it has room in its log, or says that it is full", () => {
    const mount = new Mount();
    const path = join(mount.folder, "controller.sqlite");
    fill(path);
    mount.fill();
    const outcome = outcomeOf(() => withStore(path, (store) => store.listWorkflowTurnIntents({ limit: 1 })));
    expect(["done", "STORE_FAILED"]).toContain(outcome);
    mount.empty();
    expect(withStore(path, (store) => store.listWorkflowTurnIntents({ limit: 100 }).intents)).toHaveLength(30);
  });
});
