import { describe, expect, it } from "vitest";
import { fileSystemType } from "../../src/store/fileSystems.ts";
import { openControllerStore } from "../../src/store/openControllerStore.ts";
import { afterTest, draft, storeWorld } from "../store/helpers/storeWorld.ts";
import { turnWorld } from "../support/turnWorld.ts";
import { newPath } from "./support/stores.ts";

const NFS = 0x6969;
const FUSE = 0x65735546;

describe("a store on a network file system", () => {
  it.each([
    ["NFS", NFS],
    ["CIFS", 0xff534d42],
    ["SMB2", 0xfe534d42],
    ["9p", 0x01021997],
    ["Ceph", 0x00c36400],
    ["Lustre", 0x0bd00bd0],
  ])("(%s) works, and is reported with what to do", (name, type) => {
    const { open, diagnostics } = storeWorld();
    const store = open({ fileSystemType: () => type });
    expect(diagnostics).toMatchObject([{ code: "NETWORK_FILE_SYSTEM", message: expect.stringContaining(`(${name})`) }]);
    expect(diagnostics[0]?.message).toContain("PI_WORKFLOWS_CONTROLLER_DIR");
    expect(store.findings).toEqual(diagnostics);
    expect(store.ensureWorkflowTurnIntent(draft()).outcome).toBe("created");
  });

  it("is told to the user when the session starts", () => {
    const path = newPath();
    const world = turnWorld({
      binding: { openStore: () => openControllerStore({ path, fileSystemType: () => NFS }) },
    });
    world.pi.start();
    expect(world.pi.notices).toEqual([expect.stringContaining(`${path} lies on a network file system`)]);
  });

  it("is asked about by the path of the store", () => {
    const path = newPath();
    const asked: string[] = [];
    const typeOf = (file: string): undefined => void asked.push(file);
    openControllerStore({ path, fileSystemType: typeOf }).close();
    expect(asked).toEqual([path]);
  });
});

describe("a store on FUSE", () => {
  it("which is local more often than not, is a diagnostic that disturbs nobody", () => {
    const { open, diagnostics } = storeWorld();
    const store = open({ fileSystemType: () => FUSE });
    expect(diagnostics).toMatchObject([{ code: "NETWORK_FILE_SYSTEM", message: expect.stringContaining("may be") }]);
    expect(store.findings).toEqual([]);
  });
});

describe("a store on a local file system", () => {
  it.each([
    ["ext4", 0xef53],
    ["Btrfs", 0x9123683e],
    ["one that cannot be told", undefined],
  ])("(%s) is used without a word", (_name, type) => {
    const { open, diagnostics } = storeWorld();
    expect(open({ fileSystemType: () => type }).findings).toEqual([]);
    expect(diagnostics).toEqual([]);
  });

  it("is what the system says of one that is there, and nothing of one that is not", () => {
    const { path, diagnostics } = storeWorld();
    afterTest(() => expect(diagnostics).toEqual([]));
    expect(typeof fileSystemType(path)).toBe(process.platform === "linux" ? "number" : "undefined");
    expect(fileSystemType(`${path}/none`)).toBeUndefined();
  });
});
