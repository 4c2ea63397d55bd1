import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { basename, dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { openControllerStore } from "../../src/store/openControllerStore.ts";
import { projectStorePath } from "../../src/store/projectStorePath.ts";
import { afterTest, draft, errorOf, temporaryFolder } from "../store/helpers/storeWorld.ts";
import { filledStore, newPath, outcomeOf, withStore } from "./support/stores.ts";

const ensure = (path: string): string => withStore(path, (store) => store.ensureWorkflowTurnIntent(draft()).outcome);

describe("a path", () => {
  it.each([
    "with space",
    "ünï — 商店 😀",
    "%41%2e",
    "q?mode=memory&immutable=1",
    "h#ash",
    "file:x?mode=ro",
    "'quoted\"",
    "new\nline",
    "-dash",
    ":memory:",
  ])("may hold %j, and leads to that file alone", (name) => {
    const path = join(temporaryFolder(), name);
    expect(ensure(path)).toBe("created");
    expect(ensure(path)).toBe("existing");
    expect(readdirSync(dirname(path))).toEqual([name]);
  });

  it("may be relative: the store stays the same when the process goes elsewhere", () => {
    const path = newPath();
    const store = openControllerStore({ path: relative(process.cwd(), path) });
    afterTest(() => store.close());
    expect(store.path).toBe(path);
    expect(store.checkFile()).toBe("same");
  });

  it.each([
    ["the longest that SQLite opens", 504, "done"],
    ["one byte longer", 505, "INVALID_ARGUMENT"],
    ["longer than any system takes", 5000, "INVALID_ARGUMENT"],
  ])("may have a length: %s", (_what, length, outcome) => {
    const path = pathOf(length);
    expect(outcomeOf(() => ensure(path))).toBe(outcome);
    expect(existsSync(path)).toBe(outcome === "done");
  });

  it.each([
    ["U+0000", "a\0b"],
    ["white space at its end, which would be cut off", "controller.sqlite "],
    ["a line feed at its end", "controller.sqlite\n"],
  ])("that holds %s is refused", (_what, name) => {
    const folder = temporaryFolder();
    expect(errorOf(() => openControllerStore({ path: join(folder, name) })).code).toBe("INVALID_ARGUMENT");
    expect(readdirSync(folder)).toEqual([]);
  });

  it("with a part that no file system takes is refused", () => {
    expect(errorOf(() => openControllerStore({ path: join(temporaryFolder(), "f".repeat(256)) })).code).toBe(
      "STORE_FAILED",
    );
  });
});

describe("what is no file is refused before it is opened, and stays as it is", () => {
  const refusals = {
    "a folder": (path: string) => mkdirSync(path),
    "a named pipe": (path: string) => execFileSync("mkfifo", [path]),
    "a device": (path: string) => symlinkSync("/dev/null", path),
  };

  it.each(Object.entries(refusals))("%s", (kind, make) => {
    const path = newPath();
    make(path);
    for (const readonly of [false, true]) {
      const { code, message } = errorOf(() => openControllerStore({ path, readonly }));
      expect([code, message]).toEqual(["STORE_FAILED", expect.stringContaining(`is ${kind}`)]);
    }
    expect(readdirSync(dirname(path))).toEqual([basename(path)]);
    expect(existsSync("/dev/null-journal")).toBe(false);
  });

  it("a socket", async () => {
    const path = newPath();
    const server = createServer().listen(path);
    afterTest(() => server.close());
    await new Promise((listening) => server.once("listening", listening));
    expect(errorOf(() => openControllerStore({ path })).message).toContain("is a socket");
  });

  it("a link that leads nowhere", () => {
    const path = newPath();
    symlinkSync("nowhere", path);
    const { code, message } = errorOf(() => openControllerStore({ path }));
    expect([code, message]).toEqual(["STORE_FAILED", expect.stringContaining("a link to a file that is not there")]);
    expect(readlinkSync(path)).toBe("nowhere");
  });

  it("a link that leads to itself", () => {
    const path = newPath();
    symlinkSync(path, path);
    expect(errorOf(() => openControllerStore({ path })).message).toContain("ELOOP");
  });

  it("a file in the place of a folder", () => {
    const file = newPath();
    writeFileSync(file, "");
    const { code, message } = errorOf(() => openControllerStore({ path: join(file, "controller.sqlite") }));
    expect([code, message]).toEqual(["STORE_FAILED", expect.stringContaining(file)]);
  });
});

describe("a link", () => {
  it("to a store's file opens that store, with one log for both names", () => {
    const path = filledStore();
    const link = newPath();
    symlinkSync(path, link);
    const store = openControllerStore({ path: link });
    afterTest(() => store.close());
    store.ensureWorkflowTurnIntent(draft());
    expect(withStore(path, (other) => other.getWorkflowTurnIntent(draft().intentId))).toBeDefined();
    expect(readdirSync(dirname(link))).toEqual([basename(link)]);
    expect(store.checkFile()).toBe("same");
  });

  it("to a store's folder opens that store", () => {
    const path = filledStore();
    const link = join(temporaryFolder(), "link");
    symlinkSync(dirname(path), link);
    expect(ensure(join(link, basename(path)))).toBe("created");
    expect(ensure(path)).toBe("existing");
  });

  it("to a project leads to the project's own store", () => {
    const project = temporaryFolder();
    const link = join(temporaryFolder(), "link");
    symlinkSync(project, link);
    expect(projectStorePath(link)).toBe(projectStorePath(project));
  });
});

/** A path of so many bytes, in a folder of its own. */
function pathOf(length: number): string {
  let path = temporaryFolder();
  while (path.length < length - 100) path = join(path, "d".repeat(50));
  return join(path, "f".repeat(length - path.length - 1));
}
