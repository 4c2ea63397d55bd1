import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";

/** Starts a tool under a Node that says it is of another version. */
function startUnder(version: string): { readonly status: number | null; readonly stderr: string } {
  const pretend = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } })`;
  const args = ["--import", `data:text/javascript,${pretend}`, "scripts/run.mjs", "src/cli/entry.ts", "--help"];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  return { status, stderr };
}

describe("a tool of this repository", () => {
  it.each(["20.20.2", "22.18.0"])("says in one sentence what it needs under Node %s", (version) => {
    const { status, stderr } = startUnder(version);
    expect(status).toBe(2);
    expect(stderr.trim().split("\n")).toEqual([
      expect.stringContaining(`needs Node 22.19 or newer, and this is ${version}`),
    ]);
  });

  it.each(["22.19.0", "24.0.0"])("runs under Node %s", (version) => {
    expect(startUnder(version)).toEqual({ status: 0, stderr: "" });
  });
});
