import { LATE_REVIEW, REVIEW, STEP_PROMPT } from "./review.ts";
import type { Outcome, Scenario } from "./scenario.ts";
import { Scene } from "./support/scene.ts";
import { COMPLETES, callsWorkflow, says, startsWorkflow, WORKS_ON } from "./support/workflows.ts";
import type { World } from "./support/world.ts";

const RELEASE = {
  name: "release",
  input: { type: "object", required: ["scope"] },
  steps: [{ kind: "agent", id: "write", prompt: "Write the notes." }],
} as const;

export const userCancelled: Scenario = {
  name: "userCancelled",
  event: "Direct `/workflow cancel`",
  expected: { intents: [], callsBefore: 3, callsAfter: 0 },
  host: "sdk",
  run: (world) => commandedInTurn(world, "cancel", "cancelled"),
};

export const cancelledWhilePromptWaits: Scenario = {
  name: "cancelledWhilePromptWaits",
  event: "Direct `/workflow cancel` while a prompt waits",
  expected: { intents: [{ cause: "timedOut", fate: "pending" }], callsBefore: 3, callsAfter: 0 },
  host: "sdk",
  async run(world) {
    const scene = await openWithLateStep(world, (it) => it.command("cancel"));
    await scene.ask();
    await scene.untilRun("review", "cancelled");
    return scene.end({ callsBefore: 3 });
  },
};

export const paused: Scenario = {
  name: "paused",
  event: "Workflow pause",
  expected: { intents: [], callsBefore: 3, callsAfter: 0 },
  host: "sdk",
  run: (world) => commandedInTurn(world, "pause", "parked"),
};

export const pausedWithPendingIntent: Scenario = {
  name: "pausedWithPendingIntent",
  event: "Workflow pause with a pending intent, then resume",
  expected: { intents: [{ cause: "timedOut", fate: "workflowPrompt" }], callsBefore: 3, callsAfter: 2 },
  host: "sdk",
  async run(world) {
    const scene = await openWithLateStep(world, (it) => it.command("pause"));
    await scene.ask();
    await scene.untilRun("review", "parked");
    await scene.quietPeriods();
    const [callsWhilePaused, intent] = [scene.calls.length, scene.intents[0]];
    await scene.command("resume");
    await scene.untilResolved(1);
    await scene.untilRun("review", "done");
    return scene.end({
      claims: () => ({
        "nothing was sent while it was paused": callsWhilePaused === 3,
        "the intent stayed ineligible while it was paused": intent?.eligibleAt === null,
      }),
    });
  },
};

export const pausedWithEligibleIntent: Scenario = {
  name: "pausedWithEligibleIntent",
  event: "Workflow pause while another run's intent is eligible",
  expected: { intents: [{ cause: "failed", fate: "fallback" }], callsBefore: 3, callsAfter: 1 },
  host: "sdk",
  async run(world) {
    let scene!: Scene;
    const startsAnother = async () => {
      await scene.untilRun("release", "failed");
      return callsWorkflow({ action: "start", name: "review" });
    };
    const whilePaused = async () => {
      await scene.untilRun("review", "running");
      await scene.command("pause");
      return says("Both are started.");
    };
    const steps = [
      callsWorkflow({ action: "start", name: "release", input: {} }),
      startsAnother,
      whilePaused,
      says("One failed."),
    ];
    scene = await Scene.open(world, { steps, workflows: [REVIEW, RELEASE] });
    await scene.ask();
    await scene.untilResolved(1);
    return scene.end({
      claims: () => ({ "the paused run's prompt was not sent": scene.callsAbout(STEP_PROMPT) === 0 }),
    });
  },
};

/** A scene whose step times out in a turn that does not settle before `act` has been done. */
async function openWithLateStep(world: World, act: (scene: Scene) => Promise<void>): Promise<Scene> {
  let scene!: Scene;
  const ignoresItsAbort = async () => {
    await scene.untilIntents(1);
    await act(scene);
    return says("Too late.");
  };
  const steps = [...startsWorkflow("review"), ignoresItsAbort, ...COMPLETES];
  scene = await Scene.open(world, { steps, workflows: [LATE_REVIEW] });
  return scene;
}

/** A person gives a command while the turn of a workflow's step runs. */
async function commandedInTurn(
  world: World,
  command: "cancel" | "pause",
  status: "cancelled" | "parked",
): Promise<Outcome> {
  const scene = await Scene.open(world, { steps: [...startsWorkflow("review"), WORKS_ON], workflows: [REVIEW] });
  await scene.ask();
  await scene.untilCall(3);
  await scene.command(command);
  return scene.end({
    callsBefore: 3,
    claims: () => ({ [`the run is ${status}`]: scene.store.run("review")?.status === status }),
  });
}
