import { chmodSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { openControllerStore } from "../../src/store/openControllerStore.ts";
import { draft, errorOf } from "../store/helpers/storeWorld.ts";
import { folderView } from "./support/folderView.ts";
import { canMount, Mount } from "./support/mounts.ts";
import { asOrdinaryUser } from "./support/ordinaryUser.ts";
import { chmodStore, fill, filledStore, withStore } from "./support/stores.ts";

const toWrite = (path: string): string => errorOf(() => openControllerStore({ path })).code;

const countOf = (path: string): number =>
  withStore(path, (store) => store.listWorkflowTurnIntents({ limit: 100 }).intents.length, true);

describe("a store whose file may only be read", () => {
  const readonlyFile = (): string => {
    const path = filledStore();
    chmodSync(dirname(path), 0o777);
    chmodSync(path, 0o444);
    return path;
  };

  it("is refused at the opening, not at the first change, and left as it is", () => {
    const path = readonlyFile();
    const before = folderView(dirname(path));
    const { code, message } = asOrdinaryUser(() => errorOf(() => openControllerStore({ path })));
    expect([code, message]).toEqual(["STORE_READONLY", expect.stringContaining("who may write to the file")]);
    expect(folderView(dirname(path))[`controller.sqlite`]).toBe(before[`controller.sqlite`]);
  });

  it("can be read", () => {
    const path = readonlyFile();
    expect(asOrdinaryUser(() => countOf(path))).toBe(30);
  });

  it("works when it may be written again", () => {
    const path = readonlyFile();
    expect(asOrdinaryUser(() => toWrite(path))).toBe("STORE_READONLY");
    chmodStore(path, 0o666);
    const outcome = asOrdinaryUser(() => withStore(path, (store) => store.ensureWorkflowTurnIntent(draft()).outcome));
    expect(outcome).toBe("created");
  });
});

describe("a folder that may not be written to", () => {
  const readonlyFolder = (): string => {
    const path = filledStore();
    chmodSync(path, 0o666);
    chmodSync(dirname(path), 0o555);
    return path;
  };

  it("keeps its store from being opened, to write or to read, because SQLite makes a log beside it", () => {
    const path = readonlyFolder();
    const before = folderView(dirname(path));
    expect(asOrdinaryUser(() => toWrite(path))).toBe("STORE_READONLY");
    expect(asOrdinaryUser(() => errorOf(() => countOf(path)).code)).toBe("STORE_READONLY");
    expect(folderView(dirname(path))).toEqual(before);
  });

  it("gets no store", () => {
    const folder = dirname(readonlyFolder());
    for (const name of ["new.sqlite", "a/b/new.sqlite"]) {
      expect(asOrdinaryUser(() => toWrite(join(folder, name)))).toBe("STORE_READONLY");
    }
  });

  it("may not even be looked into", () => {
    const path = filledStore();
    chmodSync(dirname(path), 0);
    expect(asOrdinaryUser(() => toWrite(path))).toBe("STORE_READONLY");
    chmodSync(dirname(path), 0o700);
  });
});

describe.skipIf(!canMount())("a file system that is mounted to be read", () => {
  it.each([
    ["to write", false],
    ["to read", true],
  ])("keeps its store from being opened %s, and says so", (_what, readonly) => {
    const mount = new Mount();
    const path = join(mount.folder, "controller.sqlite");
    fill(path);
    const before = folderView(mount.folder);
    mount.makeReadonly();
    const { code, message } = errorOf(() => openControllerStore({ path, readonly }));
    expect([code, message]).toEqual(["STORE_READONLY", expect.stringContaining("EROFS")]);
    expect(folderView(mount.folder)).toEqual(before);
    mount.makeWritable();
    expect(withStore(path, (store) => store.ensureWorkflowTurnIntent(draft()).outcome)).toBe("created");
  });

  it("gets no store, in whatever depth", () => {
    const mount = new Mount();
    mkdirSync(join(mount.folder, "there"));
    mount.makeReadonly();
    for (const name of ["new.sqlite", "there/new.sqlite", "a/b/new.sqlite"]) {
      expect([name, toWrite(join(mount.folder, name))]).toEqual([name, "STORE_READONLY"]);
    }
  });
});
