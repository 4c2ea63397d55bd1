import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { SCENARIOS } from "../../scenarios/all.ts";

const start = (...args: readonly string[]) =>
  spawnSync(process.execPath, ["scripts/run.mjs", "scenarios/main.ts", ...args], { encoding: "utf8" });

describe("npm start", () => {
  it("shows the way of one scenario's intent with --only", () => {
    const { status, stdout } = start("--only", "agentCancelled");
    const moments = [
      "calls workflow start",
      "calls workflow cancel",
      "is stored",
      "aborted",
      "is resolved by fallback",
    ];
    const places = moments.map((moment) => stdout.indexOf(moment));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places).not.toContain(-1);
    expect(stdout.trimEnd().split("\n").at(-1)).toBe("as specified: agentCancelled → fallback; calls 3 + 1");
    expect(status).toBe(0);
  });

  it("prints the same for programs with --json", () => {
    const { status, stdout } = start("--only", "startCrashed", "--json");
    expect(JSON.parse(stdout)).toMatchObject([
      { name: "startCrashed", differences: [], intents: [{ cause: "failed", resolution: "fallback" }] },
    ]);
    expect(status).toBe(0);
  });

  it("lists every scenario with --list, and refuses a name that it does not list", () => {
    const names = start("--list")
      .stdout.trimEnd()
      .split("\n")
      .map((line) => line.split(" ")[0]);
    expect(names).toEqual(SCENARIOS.map(({ name }) => name));
    expect(start("--only", "nothing")).toMatchObject({
      status: 2,
      stdout: "",
      stderr: "Option '--only <NAME>' argument 'nothing' is invalid: there is no such scenario; --list names them.\n",
    });
  });
});
