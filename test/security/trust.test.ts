import { existsSync, mkdirSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { ProjectTrustStore } from "@earendil-works/pi-coding-agent";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { WorkflowDefinition } from "../../generated/contracts.ts";
import { ProcessScene } from "../../scenarios/support/processScene.ts";
import type { RpcMode } from "../../scenarios/support/rpcMode.ts";
import type { ScriptedAnswer } from "../../scenarios/support/scriptedModel.ts";
import { sessionIdOf } from "../../scenarios/support/sessionFile.ts";
import { SWIFT_SETTINGS } from "../../scenarios/support/swiftSettings.ts";
import { callsWorkflow, says } from "../../scenarios/support/workflows.ts";
import { createWorld, type World } from "../../scenarios/support/world.ts";
import { openControllerStore } from "../../src/store/openControllerStore.ts";
import { projectStorePath } from "../../src/store/projectStorePath.ts";

let world: World;
beforeEach(() => {
  world = createWorld({ env: SWIFT_SETTINGS });
});
afterEach(() => world.dispose());

const marker = (): string => join(world.root, "executed");

/** A workflow whose only step leaves a file behind. */
const touches = (): WorkflowDefinition => ({
  name: "touches",
  steps: [{ kind: "command", id: "touch", argv: ["touch", marker()] }],
});

const sceneWith = (...steps: readonly ScriptedAnswer[]): ProcessScene =>
  new ProcessScene(world, { steps: [says("Hello."), ...steps], workflows: [touches()] });

function distrust(): void {
  new ProjectTrustStore(world.agentDir).set(world.projectDir, false);
}

/** What the extension told the person so far. */
const notices = (rpc: RpcMode): string =>
  JSON.stringify(rpc.records.filter(({ type }) => type === "extension_ui_request"));

const LEFT_BEHIND = ["queued", "parked", "running"] as const;

/** A run as an earlier process left it, which worked on it while the project was trusted. */
function leaveRun(scene: ProcessScene, status: (typeof LEFT_BEHIND)[number]): void {
  const store = openControllerStore({ path: projectStorePath(world.projectDir, world.env) });
  const originSessionId = sessionIdOf(scene.sessionFile);
  const text = JSON.stringify(touches());
  const run = { runId: "run-1", workflowRef: "touches", workflowPath: "/p/touches.json", workflowSourceJson: text };
  const more = { definitionDigest: "0".repeat(64), inputJson: "{}", launchOptionsJson: "{}", originSessionId };
  store.enqueueWorkflowRun({ ...run, ...more });
  const claim = { runId: "run-1", claimToken: "token-1" };
  if (status !== "queued") store.claimWorkflowRun({ ...claim, runnerId: "dead", leaseMs: 1 });
  if (status === "running") store.markWorkflowRunRunning(claim);
  if (status === "parked") store.parkWorkflowRun(claim);
  store.close();
}

describe("in a project that the user trusts", () => {
  it.each(LEFT_BEHIND)("a %s run goes on", async (status) => {
    const scene = sceneWith();
    await scene.makeSession();
    leaveRun(scene, status);
    await scene.rpc({ resume: true });
    await scene.untilRun("touches", "done");
    expect(existsSync(marker())).toBe(true);
  });

  it("no definition is read from a folder that a link leads out of it", async () => {
    const scene = sceneWith(callsWorkflow({ action: "start", name: "touches" }), says("It was refused."));
    renameSync(join(world.projectDir, ".pi", "workflows"), join(world.root, "elsewhere"));
    symlinkSync(join(world.root, "elsewhere"), join(world.projectDir, ".pi", "workflows"));
    await scene.makeSession();
    const rpc = await scene.rpc({ resume: true });
    await rpc.prompt("Please begin.");
    await rpc.untilSettled(1);
    await scene.leaseAndPeriods();
    expect(JSON.stringify(scene.entries)).toContain("out of the project");
    expect(scene.store.runs()).toEqual([]);
    expect(existsSync(marker())).toBe(false);
  });
});

describe("in a project that the user does not trust", () => {
  it.each(LEFT_BEHIND)("a %s run executes nothing, and cannot be resumed", async (status) => {
    const scene = sceneWith();
    await scene.makeSession();
    leaveRun(scene, status);
    distrust();
    const rpc = await scene.rpc({ resume: true });
    await scene.leaseAndPeriods();
    await rpc.prompt("/workflow resume");
    await scene.leaseAndPeriods();
    expect(notices(rpc)).toContain("you do not trust this project");
    expect(scene.store.run("touches")?.status).toBe(status);
    expect(existsSync(marker())).toBe(false);
  });

  it("neither the tool nor the command starts anything", async () => {
    const scene = sceneWith(callsWorkflow({ action: "start", name: "touches" }), says("It was refused."));
    await scene.makeSession();
    distrust();
    const rpc = await scene.rpc({ resume: true });
    await rpc.prompt("Please begin.");
    await rpc.untilSettled(1);
    await rpc.prompt("/workflow start touches");
    await scene.leaseAndPeriods();
    expect(JSON.stringify(scene.entries)).toContain("this project is not trusted");
    expect(notices(rpc)).toContain("this project is not trusted");
    expect(scene.store.runs()).toEqual([]);
    expect(existsSync(marker())).toBe(false);
  });

  it("not even the user's own workflows start, which the project could reach by a link", async () => {
    const scene = sceneWith(callsWorkflow({ action: "start", name: "touches" }), says("It was refused."));
    mkdirSync(join(world.agentDir, "workflows"));
    renameSync(
      join(world.projectDir, ".pi", "workflows", "touches.json"),
      join(world.agentDir, "workflows", "touches.json"),
    );
    renameSync(join(world.projectDir, ".pi", "workflows"), join(world.root, "unused"));
    symlinkSync(join(world.agentDir, "workflows"), join(world.projectDir, ".pi", "workflows"));
    await scene.makeSession();
    distrust();
    const rpc = await scene.rpc({ resume: true });
    await rpc.prompt("Please begin.");
    await rpc.untilSettled(1);
    await scene.leaseAndPeriods();
    expect(scene.store.runs()).toEqual([]);
    expect(existsSync(marker())).toBe(false);
  });
});
