import type { Scenario } from "./scenario.ts";
import { Scene } from "./support/scene.ts";
import type { ScriptedAnswer } from "./support/scriptedModel.ts";
import { callsWorkflow, says, startsWorkflow } from "./support/workflows.ts";

export const TIDY_UP = {
  name: "tidy-up",
  steps: [{ kind: "agent", id: "sort", prompt: "Sort the imports." }],
} as const;

/** The model starts a workflow, cancels it when the step's prompt comes, and answers the successor turn. */
export const CANCEL_SCRIPT: readonly ScriptedAnswer[] = [
  ...startsWorkflow(TIDY_UP.name),
  callsWorkflow({ action: "cancel", reason: "the imports are sorted already" }),
  says("The workflow was cancelled before it did anything; nothing needs a correction."),
];

/** The model starts a workflow and cancels it in one answer, before the step's prompt could come. */
export const CANCEL_AT_ONCE_SCRIPT: readonly ScriptedAnswer[] = [
  {
    toolCalls: [
      { name: "workflow", arguments: { action: "start", name: TIDY_UP.name } },
      { name: "workflow", arguments: { action: "cancel", reason: "the imports are sorted already" } },
    ],
  },
  says("The workflow was cancelled before it did anything; nothing needs a correction."),
];

export const agentCancelled: Scenario = {
  name: "agentCancelled",
  event: "Agent calls `workflow cancel` during an active workflow turn",
  expected: { intents: [{ cause: "agentCancelled", fate: "fallback" }], callsBefore: 3, callsAfter: 1 },
  host: "sdk",
  async run(world) {
    const scene = await Scene.open(world, { steps: CANCEL_SCRIPT, workflows: [TIDY_UP] });
    await scene.ask();
    await scene.untilResolved(1);
    return scene.end();
  },
};

export const agentCancelledAtOnce: Scenario = {
  name: "agentCancelledAtOnce",
  event: "Agent calls `workflow cancel` in the turn that started it",
  expected: { intents: [{ cause: "agentCancelled", fate: "fallback" }], callsBefore: 1, callsAfter: 1 },
  host: "sdk",
  async run(world) {
    const scene = await Scene.open(world, { steps: CANCEL_AT_ONCE_SCRIPT, workflows: [TIDY_UP] });
    await scene.ask();
    await scene.untilResolved(1);
    return scene.end();
  },
};
