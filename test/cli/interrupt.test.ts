import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openControllerStore } from "../../src/store/openControllerStore.ts";
import { lookForInterrupt } from "../../src/store/runs/interruptRequests.ts";
import { temporaryFolder } from "../support/turnWorld.ts";

const command = (...args: readonly string[]) =>
  spawnSync(process.execPath, ["scripts/run.mjs", "src/cli/entry.ts", ...args], { encoding: "utf8" });

function storeWithRun(): { readonly path: string; readonly runId: string } {
  const path = join(temporaryFolder(), "controller.sqlite");
  const store = openControllerStore({ path });
  const json = { workflowSourceJson: "{}", definitionDigest: "0", inputJson: "{}", launchOptionsJson: "{}" };
  store.enqueueWorkflowRun({ runId: "run-1", workflowRef: "w", workflowPath: "w.json", ...json });
  store.close();
  return { path, runId: "run-1" };
}

describe("deferred-turns interrupt", () => {
  it("leaves a request for the process that works on the run", () => {
    const { path, runId } = storeWithRun();
    const { status, stdout } = command("interrupt", runId, "--store", path, "--reason", "out of budget");
    expect({ status, stdout }).toEqual({ status: 0, stdout: `Asked for the end of run ${runId}.\n` });
    const store = openControllerStore({ path, readonly: true });
    expect(lookForInterrupt(store, runId, 0)).toMatchObject({ request: { reason: "out of budget" } });
    store.close();
  });

  it("refuses a run that the store does not know, in a sentence", () => {
    const { path } = storeWithRun();
    const { status, stderr } = command("interrupt", "run-2", "--store", path);
    expect(status).toBe(1);
    expect(stderr).toContain("There is no run run-2");
    expect(stderr).toContain("(INVALID_ARGUMENT)");
  });

  it("makes no store where there is none", () => {
    const path = join(temporaryFolder(), "controller.sqlite");
    expect(command("interrupt", "run-1", "--store", path)).toMatchObject({ status: 1 });
    expect(existsSync(path)).toBe(false);
  });

  it.each([
    { args: ["intrerupt"], hint: "Did you mean interrupt?" },
    { args: ["interrupt", "run-1", "--resaon", "x"], hint: "Did you mean --reason?" },
    { args: ["interrupt"], hint: "missing required argument 'RUN'" },
    { args: [], hint: "Commands:" },
  ])("says how it is used when it is misused: $args", ({ args, hint }) => {
    const { status, stderr } = command(...args);
    expect(status).toBe(2);
    expect(stderr).toContain(hint);
    expect(stderr).toContain("Usage: deferred-turns");
  });

  it("teaches its use by examples", () => {
    const { status, stdout } = command("interrupt", "--help");
    expect(status).toBe(0);
    expect(stdout).toContain("$ deferred-turns interrupt RUN --reason");
  });
});
