import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findDefinition, listDefinitions } from "../../../src/runtime/definitions/definitionFolders.ts";
import { thrownBy } from "../../contracts/support/thrown.ts";

let root: string;
let project: string;
let user: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "deferred-turns-definitions-"));
  project = join(root, "project/.pi/workflows");
  user = join(root, "agent/workflows");
  mkdirSync(project, { recursive: true });
  mkdirSync(user, { recursive: true });
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

function definition(name: string, description = ""): string {
  return JSON.stringify({ name, description, steps: [{ kind: "wait", id: "ask", question: "Go on?" }] });
}

function write(folder: string, file: string, text: string | Buffer): string {
  const path = join(folder, file);
  writeFileSync(path, text);
  return path;
}

function find(name: string): unknown {
  return findDefinition(name, { project, user });
}

describe("finding a definition", () => {
  it("takes the project's file before the user's", () => {
    write(user, "flow.json", definition("flow", "user"));
    const path = write(project, "flow.json", definition("flow", "project"));
    expect(find("flow")).toEqual({ name: "flow", path, text: definition("flow", "project") });
  });

  it("takes the user's file where the project has none, or may have none", () => {
    const path = write(user, "flow.json", definition("flow"));
    expect(find("flow")).toMatchObject({ path });
    write(project, "flow.json", definition("flow", "project"));
    expect(findDefinition("flow", { user })).toMatchObject({ path });
  });

  it("leaves it to the runner what the file says", () => {
    write(project, "flow.json", "{");
    expect(find("flow")).toMatchObject({ text: "{" });
  });

  it("refuses a project's folder that a link leads out of the project, and takes one that stays inside", () => {
    const path = write(user, "flow.json", definition("flow"));
    const projectRoot = join(root, "project");
    rmSync(project, { recursive: true });
    symlinkSync(user, project);
    const folders = { project, projectRoot };
    expect(thrownBy(() => findDefinition("flow", folders))).toMatchObject({ code: "DEFINITION_INVALID" });
    expect(listDefinitions(folders)).toMatchObject([{ status: "refused", path: project }]);
    expect(listDefinitions({ ...folders, user })).toMatchObject([{ status: "refused" }, { status: "usable", path }]);

    rmSync(project);
    mkdirSync(join(projectRoot, "flows"));
    write(join(projectRoot, "flows"), "flow.json", definition("flow", "inside"));
    symlinkSync(join(projectRoot, "flows"), project);
    expect(findDefinition("flow", folders)).toMatchObject({ text: definition("flow", "inside") });
  });

  it("names the folders in which there is no such file", () => {
    rmSync(user, { recursive: true });
    expect(thrownBy(() => find("flow"))).toMatchObject({
      code: "DEFINITION_NOT_FOUND",
      message: `There is no workflow named flow: it is not in ${project} or ${user}.`,
    });
    expect(thrownBy(() => findDefinition("flow", {}))).toMatchObject({ code: "DEFINITION_NOT_FOUND" });
  });

  it.each(["", "../flow", "a/b", "..", ".hidden", "flow\n", "flow\0", "x".repeat(65)])(
    "does not look for a name that no workflow can have: %j",
    (name) => {
      write(join(root, "project/.pi"), "flow.json", definition("flow"));
      expect(thrownBy(() => find(name))).toMatchObject({ code: "DEFINITION_NOT_FOUND" });
    },
  );

  it("follows a link inside its folder, and no link out of it", () => {
    symlinkSync(write(project, "flow.json", definition("flow")), join(project, "alias.json"));
    expect(find("alias")).toMatchObject({ text: definition("flow") });
    symlinkSync(write(root, "secret.json", definition("secret")), join(project, "out.json"));
    symlinkSync(root, join(project, "folder"));
    symlinkSync("folder/secret.json", join(project, "detour.json"));
    for (const name of ["out", "detour"]) {
      expect(thrownBy(() => find(name))).toMatchObject({
        code: "DEFINITION_INVALID",
        message: expect.stringContaining("it is a link that leads out of its folder"),
      });
    }
  });

  it("does not pass over a link that leads nowhere", () => {
    symlinkSync("none.json", join(project, "flow.json"));
    write(user, "flow.json", definition("flow"));
    expect(thrownBy(() => find("flow"))).toMatchObject({ code: "DEFINITION_INVALID" });
  });

  it("takes a file of 256 KiB, and none that is larger", () => {
    write(project, "full.json", " ".repeat(262_144));
    expect(find("full")).toMatchObject({ text: " ".repeat(262_144) });
    write(project, "over.json", " ".repeat(262_145));
    expect(thrownBy(() => find("over"))).toMatchObject({
      code: "DEFINITION_INVALID",
      message: expect.stringContaining("over.json is refused: it has more than 262144 bytes."),
    });
  });

  it("takes nothing but a plain file of UTF-8, and waits for no pipe", () => {
    mkdirSync(join(project, "folder.json"));
    expect(spawnSync("mkfifo", [join(project, "pipe.json")]).status).toBe(0);
    write(project, "latin.json", Buffer.from([0x22, 0xe9, 0x22]));
    const reasons = ["folder", "pipe", "latin"].map((name) => thrownBy(() => find(name)));
    expect(reasons).toMatchObject([
      { code: "DEFINITION_INVALID", message: expect.stringContaining("it is no plain file") },
      { code: "DEFINITION_INVALID", message: expect.stringContaining("it is no plain file") },
      { code: "DEFINITION_INVALID", message: expect.stringContaining("it is not UTF-8") },
    ]);
  });
});

describe("listing definitions", () => {
  it("tells each name once, in their order, the project's before the user's", () => {
    write(user, "b.json", definition("b", "user"));
    write(user, "a.json", definition("a", "user"));
    write(project, "b.json", definition("b", "project"));
    expect(listDefinitions({ project, user })).toEqual([
      { status: "usable", name: "a", description: "user", path: join(user, "a.json") },
      { status: "usable", name: "b", description: "project", path: join(project, "b.json") },
    ]);
  });

  it("tells of a bad file why it cannot be used, and goes on with the others", () => {
    write(project, "a.json", "{");
    write(project, "b.json", definition("other"));
    write(project, "c d.json", definition("c d"));
    write(project, "e.json", definition("e"));
    symlinkSync("/etc/hostname", join(project, "f.json"));
    expect(listDefinitions({ project, user })).toMatchObject([
      { status: "refused", path: join(project, "a.json"), reason: expect.stringContaining("no JSON") },
      { status: "refused", path: join(project, "b.json"), reason: expect.stringContaining('/name is "other"') },
      { status: "refused", path: join(project, "c d.json"), reason: expect.stringContaining("/name must not be text") },
      { status: "usable", name: "e" },
      { status: "refused", path: join(project, "f.json"), reason: expect.stringContaining("out of its folder") },
    ]);
  });

  it("does not offer the user's workflow behind a broken one of the project, which would be started", () => {
    write(project, "flow.json", "{");
    write(user, "flow.json", definition("flow"));
    expect(listDefinitions({ project, user })).toMatchObject([{ status: "refused", path: join(project, "flow.json") }]);
  });

  it("looks only at visible files that end in .json", () => {
    write(project, "notes.md", "# Notes");
    write(project, ".#flow.json", "lock");
    expect(listDefinitions({ project, user })).toEqual([]);
  });

  it("takes a folder that is missing for empty, and tells of one that is none", () => {
    rmSync(project, { recursive: true });
    expect(listDefinitions({ project, user })).toEqual([]);
    const file = write(root, "file", "");
    write(user, "flow.json", definition("flow"));
    expect(listDefinitions({ project: file, user })).toMatchObject([
      { status: "refused", path: file, reason: expect.stringContaining("The folder cannot be read") },
      { status: "usable", name: "flow" },
    ]);
  });
});
