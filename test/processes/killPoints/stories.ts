import type { WorkflowDefinition } from "../../../generated/contracts.ts";
import { interrupt } from "../../../scenarios/support/interruptCommand.ts";
import type { ModelCall } from "../../../scenarios/support/modelCalls.ts";
import type { ScriptedAnswer } from "../../../scenarios/support/scriptedModel.ts";
import type { StoreView } from "../../../scenarios/support/storeView.ts";
import { until } from "../../../scenarios/support/until.ts";
import { callsWorkflow, says, WORKS_ON } from "../../../scenarios/support/workflows.ts";
import type { World } from "../../../scenarios/support/world.ts";
import type { Point } from "../support/points.ts";

/** What a story's model can look at and do beside answering. */
export interface StoryWorld {
  readonly world: World;
  readonly store: StoreView;
}

type Answer = ScriptedAnswer | ((scene: StoryWorld) => Promise<ScriptedAnswer>);

/**
 * A workflow run that is interrupted. The model answers what it is asked, whichever process asks: a story goes on after a
 * restart from wherever its durable state stands.
 */
export interface Story {
  readonly name: string;
  /** What it tells, as the specification's event table names it. */
  readonly event: string;
  readonly workflow: WorkflowDefinition | { readonly name: string; readonly brokenText: string };
  /** What the model answers to a message with a text in it; the first that fits counts. To all else it says a word. */
  readonly answers: readonly (readonly [text: string, answer: Answer])[];
  /** Where a first process dies, for a story that is about the second. */
  readonly firstProcessDiesAt?: Point;
}

const STEP_PROMPT = "Read the change.";
const RECOVERY_PROMPT = "Finish with what you know.";
const STEP = { kind: "agent", id: "read", prompt: STEP_PROMPT } as const;

/** Time enough for the step's turn to begin while several Pi processes start beside it. */
const STEP_SECONDS = 0.8;

const COMPLETES = callsWorkflow({ action: "complete", result: "It is fine." });
const STARTS: readonly [string, Answer] = ["Please begin.", callsWorkflow({ action: "start", name: "review" })];

const AGENT_CANCELS: Story = {
  name: "agentCancels",
  event: "the agent cancels its run; a fallback follows",
  workflow: { name: "review", steps: [STEP] },
  answers: [STARTS, [STEP_PROMPT, callsWorkflow({ action: "cancel", reason: "the change was withdrawn" })]],
};

const TIMES_OUT: Story = {
  name: "timesOut",
  event: "a step runs out of time for good; a fallback follows",
  workflow: { name: "review", steps: [{ ...STEP, timeoutSeconds: STEP_SECONDS }] },
  answers: [STARTS, [STEP_PROMPT, WORKS_ON]],
};

const LAUNCH_FAILS: Story = {
  name: "launchFails",
  event: "a queued run cannot be launched; a fallback follows",
  workflow: { name: "review", brokenText: '{ "name": "review", "steps": [] }' },
  answers: [STARTS],
};

const CONTROLLER_INTERRUPTS: Story = {
  name: "controllerInterrupts",
  event: "a controller stops the run in its turn; a fallback follows",
  workflow: { name: "review", steps: [STEP] },
  answers: [
    STARTS,
    [
      STEP_PROMPT,
      async ({ world, store }) => {
        await interrupt(world, store.run("review")?.runId ?? "", "the release was called off");
        return WORKS_ON;
      },
    ],
  ],
};

const RECOVERS: Story = {
  name: "recovers",
  event: "a step runs out of time; the prompt of its recovery follows",
  workflow: {
    name: "review",
    steps: [{ ...STEP, timeoutSeconds: STEP_SECONDS, recovery: { prompt: RECOVERY_PROMPT } }],
  },
  answers: [STARTS, [STEP_PROMPT, WORKS_ON], [RECOVERY_PROMPT, COMPLETES]],
};

const PRESENTS: Story = {
  name: "presents",
  event: "a step that ran out of time is completed all the same; the presentation follows",
  workflow: {
    name: "review",
    steps: [{ ...STEP, timeoutSeconds: STEP_SECONDS, recovery: { prompt: RECOVERY_PROMPT } }],
    presentation: "Present the result: {{steps.read.result}}",
  },
  answers: [
    STARTS,
    [
      "Started workflow",
      async ({ store }) => {
        await until(() => store.intents().length > 0, { what: "the step to run out of time" });
        return COMPLETES;
      },
    ],
    [STEP_PROMPT, WORKS_ON],
    [RECOVERY_PROMPT, COMPLETES],
  ],
};

const TAKES_OVER: Story = {
  name: "takesOver",
  event: "a process dies in the step's turn, and a second takes the run over; the step's prompt follows",
  workflow: { name: "review", steps: [STEP] },
  answers: [STARTS, [STEP_PROMPT, COMPLETES]],
  firstProcessDiesAt: "before model #3",
};

export const STORIES: readonly Story[] = [
  AGENT_CANCELS,
  TIMES_OUT,
  LAUNCH_FAILS,
  CONTROLLER_INTERRUPTS,
  RECOVERS,
  PRESENTS,
  TAKES_OVER,
];

/** What the story's model answers to the newest message of a call. */
export async function answerTo(story: Story, { newMessages }: ModelCall, scene: StoryWorld): Promise<ScriptedAnswer> {
  const asked = newMessages.at(-1)?.text ?? "";
  const [, answer = says("I see.")] = story.answers.find(([text]) => asked.includes(text)) ?? [];
  return typeof answer === "function" ? answer(scene) : answer;
}
