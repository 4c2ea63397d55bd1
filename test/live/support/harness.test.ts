import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { enterEnvironment } from "../../../scenarios/support/environment.ts";
import { parseJsonLines } from "../../../scenarios/support/jsonLines.ts";
import { runPrintMode } from "../../../scenarios/support/printMode.ts";
import { ProcessGroup } from "../../../scenarios/support/processGroup.ts";
import { RpcMode } from "../../../scenarios/support/rpcMode.ts";
import { writeScript } from "../../../scenarios/support/scriptFiles.ts";
import { openSdkSession } from "../../../scenarios/support/sdkSession.ts";
import { sessionFiles } from "../../../scenarios/support/sessionFile.ts";
import { until } from "../../../scenarios/support/until.ts";
import { createWorld, type World } from "../../../scenarios/support/world.ts";

let world: World;
beforeEach(() => {
  world = createWorld();
});
afterEach(() => world.dispose());

/** A Node program that starts another one, and then does as told. */
const parentOf = (child: string, then: string): readonly string[] => [
  "-e",
  `require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(child)}], { stdio: "ignore" }); ${then}`,
];
const WAITS_FOR_EVER = "setInterval(() => {}, 1000)";

describe("the temporary world", () => {
  it("is removed by dispose, and stays when it is kept", async () => {
    const kept = createWorld({ keep: true });
    await world.dispose();
    await kept.dispose();
    expect([existsSync(world.root), existsSync(kept.root)]).toEqual([false, true]);
    rmSync(kept.root, { recursive: true });
  });

  it("ends the sessions and processes that still run in it", async () => {
    const script = writeScript(world, []);
    const rpc = new RpcMode({ world, script, extensions: [] });
    const sdk = await openSdkSession({ world, steps: [{ text: "Never.", holdUntilFile: join(world.root, "never") }] });
    const prompt = sdk.prompt("Begin.");
    await sdk.until(() => sdk.calls.length === 1, { what: "the call" });
    await world.dispose();
    await prompt;
    expect(await rpc.kill()).toMatchObject({ signal: "SIGKILL" });
  });

  it("does not show Pi the caller's keys", async () => {
    const leave = enterEnvironment({ ANTHROPIC_API_KEY: "sk-callers", PI_WORKFLOWS_CONTROLLER_DIR: "/callers" });
    const inner = createWorld();
    leave();
    await inner.dispose();
    expect(inner.env["ANTHROPIC_API_KEY"]).toBeUndefined();
    expect(inner.env["PI_WORKFLOWS_CONTROLLER_DIR"]).toBe(inner.controllerDir);
  });

  it("hides them from Pi in this process as well, and gives them back", async () => {
    const leave = enterEnvironment({ OPENAI_API_KEY: "sk-callers" });
    world.enter();
    const inside = process.env["OPENAI_API_KEY"];
    await world.dispose();
    const outside = process.env["OPENAI_API_KEY"];
    leave();
    expect([inside, outside]).toEqual([undefined, "sk-callers"]);
  });
});

describe("a driven process", () => {
  it("is killed at its deadline with all its children, and the failure says so", async () => {
    const pidFile = join(world.root, "child.pid");
    const child = `require("node:fs").writeFileSync(${JSON.stringify(pidFile)}, String(process.pid)); ${WAITS_FOR_EVER}`;
    const group = new ProcessGroup({
      command: process.execPath,
      args: parentOf(child, WAITS_FOR_EVER),
      cwd: world.root,
      env: world.env,
      deadlineMs: 1_000,
    });
    await until(() => existsSync(pidFile), { what: "the child to start", deadlineMs: 1_000 });
    await expect(group.ended).rejects.toThrow("Killed after 1000 ms");
    await until(() => !group.signal("SIGKILL"), { what: "the child to be gone as well" });
  });

  it("tells when it left a child behind", async () => {
    const args = parentOf(WAITS_FOR_EVER, "process.exit(3)");
    const group = new ProcessGroup({ command: process.execPath, args, cwd: world.root, env: world.env });
    expect(await group.ended).toMatchObject({ status: 3, leftBehind: true });
  });
});

describe("the scripted model", () => {
  it("answers a call too many with a sentence and records it as not scripted", async () => {
    const sdk = await openSdkSession({ world, steps: [] });
    await sdk.prompt("Anything?");
    await sdk.dispose();
    expect(sdk.calls).toEqual([{ index: 0, newMessages: [{ role: "user", text: "Anything?" }], scripted: false }]);
  });

  it("waits for a file when it is held", async () => {
    const gate = join(world.root, "gate");
    const sdk = await openSdkSession({ world, steps: [{ text: "Through.", holdUntilFile: gate }] });
    const prompt = sdk.prompt("Wait.");
    await sdk.until(() => sdk.calls.length === 1, { what: "the call" });
    expect(sdk.session.isIdle).toBe(false);
    writeFileSync(gate, "");
    await prompt;
    expect(sdk.session.getLastAssistantText()).toBe("Through.");
    await sdk.dispose();
  });

  it("keeps its place in the script when another process continues the session", async () => {
    const script = writeScript(world, [{ text: "One." }, { text: "Two." }]);
    await runPrintMode({ world, script, extensions: [], prompts: ["First."] });
    const [resume = ""] = sessionFiles(world.sessionDir);
    const rpc = new RpcMode({ world, script, extensions: [], resume });
    await rpc.prompt("Second.");
    await rpc.untilSettled(1);
    await rpc.dispose();
    expect(script.calls().map((call) => call.newMessages[0]?.text)).toEqual(["First.", "Second."]);
    expect(readdirSync(world.sessionDir)).toHaveLength(1);
  });
});

describe("rpc mode", () => {
  it("aborts a held turn", async () => {
    const script = writeScript(world, [{ text: "Too late.", holdUntilFile: join(world.root, "never") }]);
    const rpc = new RpcMode({ world, script, extensions: [] });
    await rpc.prompt("Begin.");
    await rpc.until(() => rpc.calls.length === 1, { what: "the model call" });
    await rpc.abort();
    expect(rpc.events("agent_settled")).toEqual([{ type: "agent_settled", aborted: true }]);
    await rpc.dispose();
  });

  it("passes on Pi's refusal in Pi's words", async () => {
    const rpc = new RpcMode({ world, script: writeScript(world, []), extensions: [] });
    await expect(rpc.request("set_model", { provider: "none", modelId: "none" })).rejects.toThrow(
      "Pi refused set_model",
    );
    await rpc.dispose();
  });
});

describe("waiting", () => {
  it("fails at its deadline with a sentence that names what was missing and what was there", async () => {
    const waiting = until(() => false, { what: "the moon", deadlineMs: 20, sawInstead: () => "a lamp" });
    await expect(waiting).rejects.toThrow("Waited 20 ms for the moon, in vain. Saw instead: a lamp");
  });
});

describe("JSON lines", () => {
  it("are separated by LF alone", () => {
    expect(parseJsonLines('{"type":"a","text":"x\u2028y"}\r\n{"type":"b"}')).toEqual([
      { type: "a", text: "x\u2028y" },
      { type: "b" },
    ]);
  });
});
