import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CANCEL_AT_ONCE_SCRIPT, CANCEL_SCRIPT, TIDY_UP } from "../../scenarios/agentCancel.ts";
import { EXTENSION, PACKAGE } from "../../scenarios/support/extension.ts";
import { runPiCommand } from "../../scenarios/support/piCli.ts";
import { runJsonMode, runPrintMode } from "../../scenarios/support/printMode.ts";
import { RpcMode } from "../../scenarios/support/rpcMode.ts";
import type { ScriptedAnswer } from "../../scenarios/support/scriptedModel.ts";
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

const cliRun = (steps: readonly ScriptedAnswer[], extensions: readonly string[] = [EXTENSION]) => ({
  world,
  script: writeScript(world, steps),
  extensions,
});

const isResolved = (): boolean => intentsOf(world).some(({ resolvedAt }) => resolvedAt !== null);

/** What the model does, and how many turns settle until all is done. */
const FLOWS = [
  { where: "in the turn that started it", steps: CANCEL_AT_ONCE_SCRIPT, settlements: 2 },
  { where: "in the turn of its step", steps: CANCEL_SCRIPT, settlements: 3 },
] as const;

describe.each(FLOWS)("an agent that cancels its workflow $where gets one successor turn", ({ steps, settlements }) => {
  it("in print mode", async () => {
    const result = await runPrintMode({ ...cliRun(steps), prompts: [PROMPT] });
    expect(result).toMatchObject({ status: 0, stderr: "", leftBehind: false });
    expect(result.stdout).toContain(ANSWER);
    expectOneFallback(world, result, steps.length);
  });

  it("in json mode", async () => {
    const result = await runJsonMode({ ...cliRun(steps), prompts: [PROMPT] });
    expect(result).toMatchObject({ status: 0, stderr: "", leftBehind: false });
    expectOneFallback(world, result, steps.length);
  });

  it("in rpc mode", async () => {
    const rpc = new RpcMode(cliRun(steps));
    await rpc.prompt(PROMPT);
    await rpc.untilSettled(settlements);
    await rpc.until(isResolved, { what: "the intent is resolved" });
    expectOneFallback(world, { calls: rpc.calls, entries: await rpc.entries() }, steps.length);
    expect(await rpc.dispose()).toMatchObject({ status: 0, stderr: "", leftBehind: false });
  });

  itWithTmux("in the terminal UI", async () => {
    const tui = new Tui(cliRun(steps));
    await tui.untilReady();
    await tui.prompt(PROMPT);
    await tui.untilScreenShows(ANSWER);
    await tui.until(isResolved, { what: "the intent is resolved" });
    expectOneFallback(world, tui, steps.length);
    await tui.quit();
  });

  it("in the SDK", async () => {
    const sdk = await openSdkSession({ world, steps, extensions: [EXTENSION] });
    await sdk.prompt(PROMPT);
    await sdk.untilSettledIdle(settlements);
    await sdk.until(isResolved, { what: "the intent is resolved" });
    expectOneFallback(world, sdk, steps.length);
    expect(sdk.errors).toEqual([]);
  });
});

describe("the package as Pi loads it", () => {
  it("works with pi -e and the package's folder", async () => {
    const result = await runPrintMode({ ...cliRun(CANCEL_AT_ONCE_SCRIPT, [PACKAGE]), prompts: [PROMPT] });
    expect(result.stderr).toBe("");
    expectOneFallback(world, result, CANCEL_AT_ONCE_SCRIPT.length);
  });

  it("works once pi install has added the folder", async () => {
    expect(await runPiCommand(world, ["install", PACKAGE])).toMatchObject({ status: 0 });
    const result = await runPrintMode({ ...cliRun(CANCEL_AT_ONCE_SCRIPT, []), installed: true, prompts: [PROMPT] });
    expectOneFallback(world, result, CANCEL_AT_ONCE_SCRIPT.length);
  });
});
