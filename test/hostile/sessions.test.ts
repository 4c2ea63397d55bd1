import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { sqlite3 } from "../store/helpers/bareStore.ts";
import { cancelledTurn, expectOneTurn, sessionOn } from "./support/illWorld.ts";
import { canMount, Mount } from "./support/mounts.ts";
import { asOrdinaryUser, asOwner } from "./support/ordinaryUser.ts";
import { chmodStore, emptyStore, newPath, withStore } from "./support/stores.ts";

/** A store that cannot be used, and what makes it well. */
interface Illness {
  readonly path: string;
  readonly heal: () => void;
}

const inPlaceOfStore = (make: (path: string) => void): Illness => {
  const path = newPath();
  make(path);
  return { path, heal: () => rmSync(path, { recursive: true }) };
};

/** A change of permissions, which counts for an ordinary user. */
function withModes(file: number, folder: number): Illness {
  const path = emptyStore();
  const set = (fileMode: number, folderMode: number): void => {
    chmodSync(dirname(path), 0o777);
    chmodStore(path, fileMode);
    chmodSync(dirname(path), folderMode);
  };
  set(file, folder);
  return { path, heal: () => set(0o666, 0o777) };
}

function damagedStore(): Illness {
  const path = emptyStore();
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.subarray(0, bytes.length / 2));
  return { path, heal: () => writeFileSync(path, bytes) };
}

function newerStore(): Illness {
  const path = emptyStore();
  const call = (version: string): string =>
    sqlite3(path, `UPDATE schema_info SET schema_id = 'pi-workflows.controller-store.${version}'`);
  call("v2");
  return { path, heal: () => call("v1") };
}

type Illnesses = readonly (readonly [what: string, code: string, make: () => Illness])[];

const FORBIDDEN: Illnesses = [
  ["a file that may only be read", "STORE_READONLY", () => withModes(0o444, 0o777)],
  ["a folder that may not be written to", "STORE_READONLY", () => withModes(0o666, 0o555)],
  ["a folder that may not be looked into", "STORE_READONLY", () => withModes(0o666, 0)],
];

const UNUSABLE: Illnesses = [
  ["a damaged file", "STORE_FAILED", damagedStore],
  ["a newer schema", "INCOMPATIBLE_STORE", newerStore],
  [
    "a text in its place",
    "INCOMPATIBLE_STORE",
    () => inPlaceOfStore((path) => writeFileSync(path, "text ".repeat(999))),
  ],
  ["a folder in its place", "STORE_FAILED", () => inPlaceOfStore((path) => mkdirSync(path))],
  ["a named pipe in its place", "STORE_FAILED", () => inPlaceOfStore((path) => execFileSync("mkfifo", [path]))],
  ["a link that leads nowhere", "STORE_FAILED", () => inPlaceOfStore((path) => symlinkSync("/nowhere/at/all", path))],
];

const MOUNTED: Illnesses = [
  [
    "a full disk",
    "STORE_FAILED",
    () => {
      const mount = new Mount();
      mount.fill();
      return { path: join(mount.folder, "controller.sqlite"), heal: () => mount.empty() };
    },
  ],
  [
    "a file system that is mounted to be read",
    "STORE_READONLY",
    () => {
      const mount = new Mount();
      const path = join(mount.folder, "controller.sqlite");
      withStore(path, () => undefined);
      mount.makeReadonly();
      return { path, heal: () => mount.makeWritable() };
    },
  ],
];

function staysHonest(code: string, { path, heal }: Illness): void {
  const world = sessionOn(path);
  world.pi.start();
  expect(world.pi.notices).toEqual([expect.stringContaining(path)]);
  expect(world.turns.diagnostics.count(code)).toBe(1);
  expect(cancelledTurn(world)).toBe(true);
  expect(world.turns.diagnostics.count("GUARANTEE_LOST")).toBe(1);
  expect(world.pi.notices.at(-1)).toContain("could not keep the promise of a later turn");
  world.periods(3);
  expect(world.pi.modelCalls).toHaveLength(1);
  heal();
  expectOneTurn(world);
  expect(world.pi.notices).toHaveLength(2);
}

describe("a session tells the user, aborts all the same, says that no turn is guaranteed, and delivers it once when all is well", () => {
  it.each(UNUSABLE)("that starts on %s", (_what, code, make) => staysHonest(code, make()));

  it.each(FORBIDDEN)("that starts on %s", (_what, code, make) => {
    const { path, heal } = make();
    asOrdinaryUser(() => staysHonest(code, { path, heal: () => asOwner(heal) }));
  });

  it.skipIf(!canMount()).each(MOUNTED)("that starts on %s", (_what, code, make) => staysHonest(code, make()));
});

const LOSSES: readonly (readonly [what: string, lose: (path: string) => void])[] = [
  ["its file is deleted", (path) => rmSync(path)],
  ["its folder is deleted", (path) => rmSync(dirname(path), { recursive: true })],
  ["its log is deleted", (path) => rmSync(`${path}-wal`)],
  ["the index of its log is deleted", (path) => rmSync(`${path}-shm`)],
  ["another store takes its place", (path) => renameSync(emptyStore(), path)],
];

describe("a session under whose open store", () => {
  it.each(LOSSES)("%s reports it at the next pass, and delivers once what this process owes", (_what, lose) => {
    const path = newPath();
    const world = sessionOn(path);
    world.pi.start();
    world.periods();
    lose(path);
    expect(cancelledTurn(world)).toBe(true);
    expectOneTurn(world);
    expect(world.turns.diagnostics.count("STORE_REPLACED")).toBe(1);
  });

  it.each(LOSSES)("%s when the intent was stored already, delivers it once too", (_what, lose) => {
    const path = newPath();
    const world = sessionOn(path);
    world.pi.start();
    world.periods();
    expect(cancelledTurn(world)).toBe(true);
    lose(path);
    expectOneTurn(world);
    expect(world.turns.diagnostics.count("STORE_REPLACED")).toBe(1);
  });

  it.skipIf(!canMount())(
    "the disk fills up aborts all the same, tells the user, and delivers once when there is room",
    () => {
      const mount = new Mount();
      const world = sessionOn(join(mount.folder, "controller.sqlite"));
      world.pi.start();
      world.periods();
      mount.fill();
      expect(cancelledTurn(world)).toBe(true);
      expect(world.turns.diagnostics.count("STORE_FAILED")).toBeGreaterThan(0);
      expect(world.pi.notices).toEqual([expect.stringContaining("is full")]);
      mount.empty();
      expectOneTurn(world);
    },
  );
});
