import { describe, expect, it } from "vitest";
import { type CommandEnd, startCommand } from "../../src/runtime/commandStep.ts";

const node = (script: string): string[] => [process.execPath, "-e", script];

/** Runs a command to its end. */
async function run(
  argv: string[],
  limits: { timeoutSeconds?: number; maxOutputBytes?: number } = {},
): Promise<CommandEnd> {
  return new Promise((resolve) => {
    startCommand({ kind: "command", id: "c", argv, ...limits }, process.cwd(), resolve);
  });
}

describe("a command step", () => {
  it("ends with what the command printed, errors included", async () => {
    const end = await run(node("console.log('out'); console.error('err')"));
    expect(end).toMatchObject({ status: "done" });
    expect(end).toMatchObject({ output: expect.stringContaining("out") });
    expect(end).toMatchObject({ output: expect.stringContaining("err") });
  });

  it("gives each argument to the program as it is, without a shell", async () => {
    const end = await run([...node("console.log(process.argv[1])"), "$HOME; echo `id`"]);
    expect(end).toEqual({ status: "done", output: "$HOME; echo `id`" });
  });

  it("fails with the status and the output of a command that fails", async () => {
    const end = await run(node("console.log('why'); process.exit(3)"));
    expect(end).toEqual({ status: "failed", reason: "The command ended with status 3.\nwhy" });
  });

  it("fails when there is no such program", async () => {
    expect(await run(["no-such-program-anywhere"])).toMatchObject({
      status: "failed",
      reason: expect.stringContaining("could not be started"),
    });
  });

  it("keeps the end of an output that is longer than its bound", async () => {
    const end = await run(node("process.stdout.write('a'.repeat(100000) + 'äend')"), { maxOutputBytes: 5 });
    expect(end).toEqual({ status: "done", output: "äend" });
  });

  it("kills a command that runs too long, and its children", async () => {
    const script = "require('child_process').spawn('sleep', ['60'], { stdio: 'inherit' }); setInterval(() => {}, 1000)";
    const end = await run(node(script), { timeoutSeconds: 0.5 });
    expect(end).toMatchObject({ status: "failed", reason: expect.stringContaining("longer than 0.5 s") });
  });

  it("calls back no more once it was stopped", async () => {
    const ends: CommandEnd[] = [];
    const step = { kind: "command", id: "c", argv: node("setInterval(() => {}, 1000)") } as const;
    const stop = startCommand(step, process.cwd(), (end) => ends.push(end));
    stop();
    await run(node(""));
    expect(ends).toEqual([]);
  });
});
