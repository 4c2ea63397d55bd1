import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, statSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { openControllerStore } from "../../src/store/openControllerStore.ts";
import { projectStorePath } from "../../src/store/projectStorePath.ts";
import type { StoreDiagnostic } from "../../src/store/storeDiagnostics.ts";
import { afterTest, draft, temporaryFolder } from "../store/helpers/storeWorld.ts";

const CREATE_AND_LOOK = fileURLToPath(new URL("./support/createAndLook.ts", import.meta.url));

const mode = (path: string): string => (statSync(path).mode & 0o777).toString(8);

/** Opens a store for as long as the test lasts, and tells what it reported. */
function opened(path: string): readonly StoreDiagnostic[] {
  const diagnostics: StoreDiagnostic[] = [];
  const store = openControllerStore({ path, onDiagnostic: (diagnostic) => diagnostics.push(diagnostic) });
  afterTest(() => store.close());
  store.ensureWorkflowTurnIntent(draft());
  return diagnostics;
}

/** A store with all its files, left open by nobody; its log stays because another connection keeps it. */
function existingStore(): string {
  const path = join(temporaryFolder(), "controller.sqlite");
  opened(path);
  return path;
}

describe.skipIf(process.platform === "win32")("a store that is created", () => {
  it.each(["000", "022", "077"])("is its owner's alone, files and folders, under the umask %s", (umask) => {
    const root = temporaryFolder();
    const output = execFileSync(
      "sh",
      ["-c", `umask ${umask}; exec "$0" "$1" "$2"`, process.execPath, CREATE_AND_LOOK, root],
      {
        encoding: "utf8",
        env: { ...process.env, HOME: root, PI_WORKFLOWS_CONTROLLER_DIR: undefined },
      },
    );
    expect(JSON.parse(output)).toEqual({
      ".pi": "700",
      ".pi/agent": "700",
      ".pi/agent/workflows": "700",
      ".pi/agent/workflows/controllers": "700",
      ".pi/agent/workflows/controllers/projects": "700",
      folder: "700",
      "controller.sqlite": "600",
      "controller.sqlite-wal": "600",
      "controller.sqlite-shm": "600",
      diagnostics: [],
    });
  });
});

describe.skipIf(process.platform === "win32")("a store that others may reach", () => {
  it.each([
    ["its folder", dirname, 0o755, "chmod 700"],
    ["the database", (path: string) => path, 0o644, "chmod 600"],
    ["the log", (path: string) => `${path}-wal`, 0o640, "chmod 600"],
    ["the log's index", (path: string) => `${path}-shm`, 0o666, "chmod 600"],
  ])("is reported once, with the command that helps: %s", (_, placeOf, loose, command) => {
    const path = existingStore();
    const place = placeOf(path);
    chmodSync(place, loose);
    const diagnostics = opened(path);
    expect(diagnostics.map(({ code }) => code)).toEqual(["LOOSE_PERMISSIONS"]);
    expect(diagnostics[0]?.message).toContain(`${place} has mode ${loose.toString(8)}`);
    expect(diagnostics[0]?.message).toContain(`${command} '${place}'`);
    expect(mode(place)).toBe(loose.toString(8));
  });

  it("is private after the reported command", () => {
    const path = join(temporaryFolder(), "it's a folder", "controller.sqlite");
    opened(path);
    chmodSync(dirname(path), 0o777);
    for (const ending of ["", "-wal", "-shm"]) chmodSync(path + ending, 0o666);
    const command = opened(path)[0]?.message.split("run: ")[1];
    execFileSync("sh", ["-c", command ?? "false"]);
    expect(opened(path)).toEqual([]);
  });

  it("is reported where a link leads to it", () => {
    const path = existingStore();
    const link = join(temporaryFolder(), "link.sqlite");
    symlinkSync(path, link);
    chmodSync(path, 0o644);
    expect(opened(link)[0]?.message).toContain(`chmod 600 '${path}'`);
  });

  it("is reported where a project's store lies in a shared folder, which nobody is told to lock", () => {
    const shared = join(temporaryFolder(), "shared");
    mkdirSync(shared);
    const project = temporaryFolder();
    const path = projectStorePath(project, { PI_WORKFLOWS_CONTROLLER_DIR: shared });
    mkdirSync(dirname(path), { recursive: true });
    chmodSync(dirname(path), 0o1777);
    const [diagnostic] = opened(path);
    expect(diagnostic?.message).toContain("have PI_WORKFLOWS_CONTROLLER_DIR name a folder that is");
    expect(diagnostic?.message).not.toContain("chmod");
  });
});
