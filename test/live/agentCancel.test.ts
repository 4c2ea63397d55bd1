import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CANCEL_SCRIPT, TIDY_UP } from "../../scenarios/agentCancel.ts";
import { EXTENSION, PACKAGE } from "../../scenarios/support/extension.ts";
import { runPiCommand } from "../../scenarios/support/piCli.ts";
import { runJsonMode, runPrintMode } from "../../scenarios/support/printMode.ts";
import { RpcMode } from "../../scenarios/support/rpcMode.ts";
import { writeScript } from "../../scenarios/support/scriptFiles.ts";
import { openSdkSession } from "../../scenarios/support/sdkSession.ts";
import { Tui } from "../../scenarios/support/tui.ts";
import { writeWorkflows } from "../../scenarios/support/workflows.ts";
import { createWorld, type World } from "../../scenarios/support/world.ts";
import { expectOneFallback, intentsOf } from "./support/oneFallback.ts";
import { itWithTmux } from "./support/tmux.ts";

const PROMPT = "Tidy up, please.";
const ANSWER = "The workflow was cancelled before it did anything";

let world: World;
beforeEach(() => {
  world = createWorld();
  writeWorkflows(world, TIDY_UP);
});
afterEach(() => world.dispose());

const cliRun = (extensions: readonly string[] = [EXTENSION]) => ({
  world,
  script: writeScript(world, CANCEL_SCRIPT),
  extensions,
});

const isResolved = (): boolean => intentsOf(world).some(({ resolvedAt }) => resolvedAt !== null);

describe("an agent that cancels its own workflow gets one successor turn", () => {
  it("in print mode", async () => {
    const result = await runPrintMode({ ...cliRun(), prompts: [PROMPT] });
    expect(result).toMatchObject({ status: 0, stderr: "", leftBehind: false });
    expect(result.stdout).toContain(ANSWER);
    expectOneFallback(world, result.calls, result.entries);
  });

  it("in json mode", async () => {
    const result = await runJsonMode({ ...cliRun(), prompts: [PROMPT] });
    expect(result).toMatchObject({ status: 0, stderr: "", leftBehind: false });
    expectOneFallback(world, result.calls, result.entries);
  });

  it("in rpc mode", async () => {
    const rpc = new RpcMode(cliRun());
    await rpc.prompt(PROMPT);
    await rpc.untilSettled(3);
    await rpc.until(isResolved, { what: "the intent is resolved" });
    expectOneFallback(world, rpc.calls, await rpc.entries());
    expect(await rpc.dispose()).toMatchObject({ status: 0, stderr: "", leftBehind: false });
  });

  itWithTmux("in the terminal UI", async () => {
    const tui = new Tui(cliRun());
    await tui.untilReady();
    await tui.prompt(PROMPT);
    await tui.untilScreenShows(ANSWER);
    await tui.until(isResolved, { what: "the intent is resolved" });
    expectOneFallback(world, tui.calls, tui.entries);
    await tui.quit();
  });

  it("in the SDK", async () => {
    const sdk = await openSdkSession({ world, steps: CANCEL_SCRIPT, extensions: [EXTENSION] });
    await sdk.prompt(PROMPT);
    await sdk.untilSettledIdle(3);
    await sdk.until(isResolved, { what: "the intent is resolved" });
    expectOneFallback(world, sdk.calls, sdk.entries);
    expect(sdk.errors).toEqual([]);
  });
});

describe("the package as Pi loads it", () => {
  it("works with pi -e and the package's folder", async () => {
    const result = await runPrintMode({ ...cliRun([PACKAGE]), prompts: [PROMPT] });
    expect(result.stderr).toBe("");
    expectOneFallback(world, result.calls, result.entries);
  });

  it("works once pi install has added the folder", async () => {
    expect(await runPiCommand(world, ["install", PACKAGE])).toMatchObject({ status: 0 });
    const result = await runPrintMode({ ...cliRun([]), installed: true, prompts: [PROMPT] });
    expectOneFallback(world, result.calls, result.entries);
  });
});
