import type { WorkflowDefinition } from "../generated/contracts.ts";
import { FALLBACK_MESSAGE_TYPE, RESULT_MESSAGE_TYPE } from "../src/contracts/messageTypes.ts";
import type { Outcome, Scenario } from "./scenario.ts";
import { Scene } from "./support/scene.ts";
import { callsWorkflow, says, startsWorkflow } from "./support/workflows.ts";
import type { World } from "./support/world.ts";

const COMPLETES = callsWorkflow({ action: "complete", result: "All names are unique." });

const STEP = { kind: "agent", id: "look", prompt: "Look at the names." } as const;

/** A step that runs out of time at once, and whose recovery has all the time that it needs. */
const LATE_STEP = { ...STEP, timeoutSeconds: 0.1, recovery: { prompt: "Finish with what you know." } } as const;

const QUESTION = { kind: "wait", id: "publish", question: "Shall it be published?" } as const;

const PRESENTS = "Present the result: {{steps.look.result}}";

const RESULT_TEXT = "Present the result: All names are unique.";

export const donePresented: Scenario = {
  name: "donePresented",
  event: "Completed result's presentation, without an intent",
  expected: { intents: [], callsBefore: 4, callsAfter: 1 },
  host: "sdk",
  async run(world) {
    const workflow = { name: "names", steps: [STEP], presentation: PRESENTS } as const;
    const scene = await Scene.open(world, {
      steps: [...startsWorkflow("names"), COMPLETES, says("Done."), says("The result.")],
      workflows: [workflow],
    });
    return presented(scene, RESULT_TEXT);
  },
};

export const waitingPresented: Scenario = {
  name: "waitingPresented",
  event: "Waiting result's presentation, without an intent",
  expected: { intents: [], callsBefore: 4, callsAfter: 1 },
  host: "sdk",
  async run(world) {
    const workflow = { name: "names", steps: [STEP, QUESTION] } as const;
    const scene = await Scene.open(world, {
      steps: [...startsWorkflow("names"), COMPLETES, says("Done."), says("Shall it?")],
      workflows: [workflow],
    });
    return presented(scene, QUESTION.question);
  },
};

export const doneResolves: Scenario = {
  name: "doneResolves",
  event: "Completed result's presentation, with an intent",
  expected: { intents: [{ cause: "timedOut", fate: "presentation" }], callsBefore: 3, callsAfter: 1 },
  host: "sdk",
  run: (world) => resolvedByPresentation(world, { name: "names", steps: [LATE_STEP], presentation: PRESENTS }),
};

export const waitingResolves: Scenario = {
  name: "waitingResolves",
  event: "Waiting result's presentation, with an intent",
  expected: { intents: [{ cause: "timedOut", fate: "presentation" }], callsBefore: 3, callsAfter: 1 },
  host: "sdk",
  run: (world) => resolvedByPresentation(world, { name: "names", steps: [LATE_STEP, QUESTION] }),
};

export const doneUnpresented: Scenario = {
  name: "doneUnpresented",
  event: "Completed result without a presentation, with an intent",
  expected: { intents: [{ cause: "timedOut", fate: "fallback" }], callsBefore: 3, callsAfter: 1 },
  host: "sdk",
  async run(world) {
    const scene = await completedLate(world, { name: "names", steps: [LATE_STEP] });
    return scene.end({ claims: () => ({ "no presentation was sent": scene.messageCount(RESULT_MESSAGE_TYPE) === 0 }) });
  },
};

async function presented(scene: Scene, text: string): Promise<Outcome> {
  await scene.ask();
  await scene.until("the presentation's turn", () => scene.callsAbout(text) === 1);
  return scene.end({ callsBefore: scene.calls.length - 1, claims: () => onePresentation(scene) });
}

async function resolvedByPresentation(world: World, workflow: WorkflowDefinition): Promise<Outcome> {
  const scene = await completedLate(world, workflow);
  return scene.end({ claims: () => onePresentation(scene) });
}

/** The step times out while the user's own turn still runs; in that turn the agent completes the step all the same. */
async function completedLate(world: World, workflow: WorkflowDefinition): Promise<Scene> {
  let scene!: Scene;
  const completesOnceLate = async () => {
    await scene.untilIntents(1);
    return COMPLETES;
  };
  const steps = [
    callsWorkflow({ action: "start", name: "names" }),
    completesOnceLate,
    says("Done."),
    says("There it is."),
  ];
  scene = await Scene.open(world, { steps, workflows: [workflow] });
  await scene.ask();
  await scene.untilResolved(1);
  return scene;
}

function onePresentation(scene: Scene): Outcome["claims"] {
  return {
    "the presentation was sent once": scene.messageCount(RESULT_MESSAGE_TYPE) === 1,
    "no fallback was sent": scene.messageCount(FALLBACK_MESSAGE_TYPE) === 0,
  };
}
