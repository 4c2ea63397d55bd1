import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openControllerStore } from "../../src/store/openControllerStore.ts";
import { lookForInterrupt } from "../../src/store/runs/interruptRequests.ts";
import { temporaryFolder } from "../support/turnWorld.ts";
import { deferredTurns, type Outcome } from "./support/commandLine.ts";

const command = (...args: readonly string[]): Promise<Outcome> => deferredTurns(args);

function storeWithRun(): { readonly path: string; readonly runId: string } {
  const path = join(temporaryFolder(), "controller.sqlite");
  const store = openControllerStore({ path });
  const json = { workflowSourceJson: "{}", definitionDigest: "0", inputJson: "{}", launchOptionsJson: "{}" };
  store.enqueueWorkflowRun({ runId: "run-1", workflowRef: "w", workflowPath: "w.json", ...json });
  store.close();
  return { path, runId: "run-1" };
}

describe("deferred-turns interrupt", () => {
  it("leaves a request for the process that works on the run", async () => {
    const { path, runId } = storeWithRun();
    const { status, stdout } = await command("interrupt", runId, "--store", path, "--reason", "out of budget");
    expect({ status, stdout }).toEqual({ status: 0, stdout: `Asked for the end of run ${runId}.` });
    const store = openControllerStore({ path, readonly: true });
    expect(lookForInterrupt(store, runId, 0)).toMatchObject({ request: { reason: "out of budget" } });
    store.close();
  });

  it("refuses a run that the store does not know, in a sentence", async () => {
    const { path } = storeWithRun();
    const { status, stderr } = await command("interrupt", "run-2", "--store", path);
    expect(status).toBe(1);
    expect(stderr).toContain("There is no run run-2");
    expect(stderr).toContain("(INVALID_ARGUMENT)");
  });

  it("makes no store where there is none", async () => {
    const path = join(temporaryFolder(), "controller.sqlite");
    expect(await command("interrupt", "run-1", "--store", path)).toMatchObject({ status: 1 });
    expect(existsSync(path)).toBe(false);
  });

  it.each([
    { args: ["intrerupt"], hint: "Did you mean interrupt?" },
    { args: ["interrupt", "run-1", "--resaon", "x"], hint: "Did you mean --reason?" },
    { args: ["interrupt"], hint: "missing required argument 'RUN'" },
    { args: [], hint: "Commands:" },
  ])("says how it is used when it is misused: $args", async ({ args, hint }) => {
    const { status, stderr } = await command(...args);
    expect(status).toBe(2);
    expect(stderr).toContain(hint);
    expect(stderr).toContain("Usage: deferred-turns");
  });

  it("teaches its use by examples", async () => {
    const { status, stdout } = await command("interrupt", "--help");
    expect(status).toBe(0);
    expect(stdout).toContain("$ deferred-turns interrupt RUN --reason");
  });
});
