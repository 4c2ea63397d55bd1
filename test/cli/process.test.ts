import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { wantsColours } from "../../src/cli/terminal.ts";
import { draft, storeWorld } from "../store/helpers/storeWorld.ts";

const COMMAND = "bin/deferred-turns.mjs";

/** The packages that a process loads for some code. */
function packagesLoadedBy(code: string): readonly string[] {
  const script = `
    import { registerHooks } from "node:module";
    const packages = new Set();
    registerHooks({
      load(url, context, next) {
        const name = /node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)?.[1];
        if (name !== undefined) packages.add(name);
        return next(url, context);
      },
    });
    ${code}
    process.stderr.write(JSON.stringify([...packages]));`;
  const { stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
  return JSON.parse(stderr);
}

describe("the command as a process", () => {
  it("lists without colours into a pipe, beside a live session", () => {
    const { store, path } = storeWorld();
    store.ensureWorkflowTurnIntent(draft());
    const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, "list", "--store", path], {
      encoding: "utf8",
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toMatch(/^ID +STATE +CAUSE/);
    expect(stdout).not.toContain("\u001b");
  });

  it("watches until Ctrl-C, and ends with 0", async () => {
    const { store, path } = storeWorld();
    store.ensureWorkflowTurnIntent(draft());
    const child = spawn(process.execPath, [COMMAND, "watch", "--store", path]);
    const ended = once(child, "close");
    const [line] = await once(child.stdout, "data");
    expect(String(line)).toContain("run run-1");
    child.kill("SIGINT");
    expect(await ended).toEqual([0, null]);
  });

  it("ends in silence when nobody reads its output any more", async () => {
    const child = spawn(process.execPath, [COMMAND, "completion", "bash"], { stdio: ["ignore", "pipe", "pipe"] });
    child.stdout.destroy();
    let stderr = "";
    child.stderr.on("data", (data: Buffer) => {
      stderr += data.toString();
    });
    expect(await once(child, "close")).toEqual([0, null]);
    expect(stderr).toBe("");
  });

  it("reads parts from a pipe", () => {
    const parts = JSON.stringify({ kind: "attempt", runId: "r", nodeId: null, attemptId: null });
    const { stdout } = spawnSync(process.execPath, [COMMAND, "id", "sourceEventId"], {
      encoding: "utf8",
      input: parts,
    });
    expect(stdout).toMatch(/^source-event:[0-9a-f]{64}\n$/);
  });
});

describe("what the command needs", () => {
  it("is loaded with the command alone, never with the library", () => {
    const packages = packagesLoadedBy('await import("./src/index.ts");');
    expect(packages).toContain("better-sqlite3");
    expect(packages).not.toContain("commander");
    expect(packages).not.toContain("cliui");
  });

  it("is loaded where it is used: what looks into no store loads no SQLite and no tables", () => {
    const call =
      'const { main } = await import("./src/cli/main.ts"); await main(["id", "resolutionMessageId", "--help"]);';
    const packages = packagesLoadedBy(call);
    expect(packages).toContain("commander");
    expect(packages).not.toContain("better-sqlite3");
    expect(packages).not.toContain("cliui");
  });
});

describe("colours", () => {
  it.each([
    { isTerminal: true, environment: {}, colours: true },
    { isTerminal: true, environment: { NO_COLOR: "" }, colours: true },
    { isTerminal: true, environment: { NO_COLOR: "1" }, colours: false },
    { isTerminal: true, environment: { TERM: "dumb" }, colours: false },
    { isTerminal: false, environment: {}, colours: false },
  ])("of a terminal ($isTerminal) with $environment: $colours", ({ isTerminal, environment, colours }) => {
    expect(wantsColours(isTerminal, environment)).toBe(colours);
  });
});
