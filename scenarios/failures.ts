import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { NOTIFICATION_MESSAGE_TYPE } from "../src/contracts/messageTypes.ts";
import type { Scenario } from "./scenario.ts";
import { Scene } from "./support/scene.ts";
import { callsWorkflow, says, startsWorkflow, writeWorkflowText } from "./support/workflows.ts";

const FALLBACK_AFTER_START = { callsBefore: 2, callsAfter: 1 } as const;

export const agentFails: Scenario = {
  name: "agentFails",
  event: "Active workflow turn ends in terminal failure",
  expected: { intents: [{ cause: "failed", fate: "fallback" }], callsBefore: 3, callsAfter: 1 },
  host: "sdk",
  async run(world) {
    const workflow = { name: "repair", steps: [{ kind: "agent", id: "repair", prompt: "Repair it." }] } as const;
    const steps = [
      ...startsWorkflow("repair"),
      callsWorkflow({ action: "fail", reason: "there is nothing to repair" }),
      says("I see that it failed."),
    ];
    const scene = await Scene.open(world, { steps, workflows: [workflow] });
    await scene.ask();
    await scene.untilResolved(1);
    return scene.end({
      claims: () => ({ "the fallback tells the reason": scene.callsAbout("there is nothing to repair") === 1 }),
    });
  },
};

/** A command that fails as soon as a file exists. */
function failsOnceThereIs(file: string): readonly [string, ...string[]] {
  return ["sh", "-c", 'until [ -e "$0" ]; do sleep 0.02; done; echo broken; exit 3', file];
}

export const commandFails: Scenario = {
  name: "commandFails",
  event: "Workflow fails in a command, after a passive notification",
  expected: { intents: [{ cause: "failed", fate: "fallback" }], ...FALLBACK_AFTER_START },
  host: "sdk",
  async run(world) {
    const signal = join(world.root, "fail-now");
    const workflow = {
      name: "build",
      steps: [
        { kind: "notify", id: "begin", notification: "progress", content: "The build begins." },
        { kind: "command", id: "build", argv: failsOnceThereIs(signal) },
      ],
    } as const;
    const scene = await Scene.open(world, {
      steps: [...startsWorkflow("build"), says("I see that it failed.")],
      workflows: [workflow],
    });
    await scene.ask();
    await scene.quietPeriods();
    const callsWhileNotified = scene.calls.length;
    writeFileSync(signal, "");
    await scene.untilResolved(1);
    return scene.end({
      claims: () => ({
        "the notification was shown": scene.messageCount(NOTIFICATION_MESSAGE_TYPE) === 1,
        "the notification started no turn": callsWhileNotified === 2,
        "the fallback tells the command's output": scene.callsAbout("broken") === 1,
      }),
    });
  },
};

export const startCrashed: Scenario = {
  name: "startCrashed",
  event: "Workflow reports started, then crashes before a prompt",
  expected: { intents: [{ cause: "failed", fate: "fallback" }], ...FALLBACK_AFTER_START },
  host: "sdk",
  async run(world) {
    const workflow = {
      name: "release",
      input: { type: "object", required: ["scope"], properties: { scope: { type: "string", minLength: 1 } } },
      steps: [{ kind: "agent", id: "write", prompt: "Write the notes for {{input.scope}}." }],
    } as const;
    const steps = [...startsWorkflow("release", { scope: "" }), says("I see that the scope was empty.")];
    const scene = await Scene.open(world, { steps, workflows: [workflow] });
    await scene.ask();
    await scene.untilResolved(1);
    return scene.end({ claims: () => ({ "start was reported as successful": startSucceeded(scene) }) });
  },
};

export const launchFailed: Scenario = {
  name: "launchFailed",
  event: "Queued launch activation fails",
  expected: { intents: [{ cause: "launchFailed", fate: "fallback" }], ...FALLBACK_AFTER_START },
  host: "sdk",
  async run(world) {
    writeWorkflowText(world, "deploy", '{ "name": "deploy", "steps": [] }');
    const steps = [...startsWorkflow("deploy"), says("I see that its definition is broken.")];
    const scene = await Scene.open(world, { steps });
    await scene.ask();
    await scene.untilResolved(1);
    return scene.end({ claims: () => ({ "start was reported as successful": startSucceeded(scene) }) });
  },
};

function startSucceeded(scene: Scene): boolean {
  return scene.calls.some(({ newMessages }) =>
    newMessages.some(({ role, text }) => role === "toolResult" && text.startsWith("Started workflow")),
  );
}
