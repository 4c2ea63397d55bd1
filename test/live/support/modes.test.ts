import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runJsonMode, runPrintMode } from "../../../scenarios/support/printMode.ts";
import { RpcMode } from "../../../scenarios/support/rpcMode.ts";
import { writeScript } from "../../../scenarios/support/scriptFiles.ts";
import { openSdkSession } from "../../../scenarios/support/sdkSession.ts";
import { readSessionEntries } from "../../../scenarios/support/sessionFile.ts";
import { createWorld, type World } from "../../../scenarios/support/world.ts";
import { expectOneSuccessor, PROMPT, STEPS, SUCCESSOR_EXTENSION } from "./successorTurn.ts";

let world: World;
beforeEach(() => {
  world = createWorld();
});
afterEach(() => world.dispose());

const cliRun = () => ({ world, script: writeScript(world, STEPS), extensions: [SUCCESSOR_EXTENSION] });

describe("a message that an extension sends in agent_settled starts one more turn", () => {
  it("in print mode, whose output is the successor's answer", async () => {
    const result = await runPrintMode({ ...cliRun(), prompts: [PROMPT] });

    expect(result).toMatchObject({ status: 0, stdout: "Second answer.\n", stderr: "", leftBehind: false });
    expectOneSuccessor(result.calls, result.entries);
  });

  it("in json mode, whose events tell of two settlements", async () => {
    const result = await runJsonMode({ ...cliRun(), prompts: [PROMPT] });

    expect(result).toMatchObject({ status: 0, stderr: "", leftBehind: false });
    expect(result.events.filter((event) => event.type === "agent_settled")).toHaveLength(2);
    expectOneSuccessor(result.calls, result.entries);
  });

  it("in rpc mode, which lives on until its input ends", async () => {
    const rpc = new RpcMode(cliRun());
    await rpc.prompt(PROMPT);
    await rpc.untilSettled(2);
    expectOneSuccessor(rpc.calls, await rpc.entries());

    expect(await rpc.dispose()).toMatchObject({ status: 0, stderr: "", leftBehind: false });
  });

  it("in the SDK, in memory and in the session file", async () => {
    const sdk = await openSdkSession({ world, steps: STEPS, extensions: [SUCCESSOR_EXTENSION] });
    await sdk.prompt(PROMPT);
    await sdk.untilSettledIdle(2);

    expectOneSuccessor(sdk.calls, sdk.entries);
    expectOneSuccessor(sdk.calls, readSessionEntries(sdk.session.sessionFile ?? ""));
    expect(sdk.errors).toEqual([]);
    await sdk.dispose();
  });
});
