import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";

const start = (...args: readonly string[]) =>
  spawnSync(process.execPath, ["scripts/run.mjs", "scenarios/main.ts", ...args], { encoding: "utf8" });

describe("npm start", () => {
  it("shows the way of one intent, ending with the number of successor turns", () => {
    const { status, stdout } = start();
    expect(stdout.trimEnd().split("\n").at(-1)).toBe("successor turns: 1");
    const moments = ["calls workflow start", "calls workflow cancel", "intent is stored", "aborted", "settled"];
    const places = moments.map((moment) => stdout.indexOf(moment));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places).not.toContain(-1);
    expect(status).toBe(0);
  });

  it("prints the same as JSON with --json", () => {
    const { status, stdout } = start("--json");
    expect(JSON.parse(stdout)).toMatchObject({
      successorTurns: 1,
      modelCalls: 2,
      intents: [{ resolution: "fallback" }],
    });
    expect(status).toBe(0);
  });
});
