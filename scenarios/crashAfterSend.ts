import { fileURLToPath } from "node:url";
import { turnIntentIdIn } from "../src/contracts/messageDetails.ts";
import { FALLBACK_MESSAGE_TYPE, STEP_MESSAGE_TYPE } from "../src/contracts/messageTypes.ts";
import { CANCEL_SCRIPT, TIDY_UP } from "./agentCancel.ts";
import type { Scenario } from "./scenario.ts";
import { EXTENSION } from "./support/extension.ts";
import { ProcessScene } from "./support/processScene.ts";
import { callsWorkflow, says, startsWorkflow, WORKS_ON } from "./support/workflows.ts";

const CRASH = fileURLToPath(new URL("./support/crashWhenDelivered.ts", import.meta.url));

const REVIEW = {
  name: "review",
  steps: [
    {
      kind: "agent",
      id: "read",
      prompt: "Read the change.",
      timeoutSeconds: 0.3,
      recovery: { prompt: "Finish with what you know." },
    },
  ],
} as const;

export const crashAfterPrompt: Scenario = {
  name: "crashAfterPrompt",
  event: "Crash between a prompt's send and its resolution, then a new process",
  expected: {
    intents: [
      { cause: "timedOut", fate: "workflowPrompt" },
      { cause: "claimLost", fate: "workflowPrompt" },
    ],
    callsBefore: 3,
    callsAfter: 2,
  },
  host: "processes",
  async run(world) {
    const steps = [
      ...startsWorkflow("review"),
      WORKS_ON,
      callsWorkflow({ action: "complete", result: "Half of it is fine." }),
      says("Done."),
    ];
    const scene = new ProcessScene(world, { steps, workflows: [REVIEW] });
    const leftPending = await crash(scene);
    const second = await scene.rpc({ resume: true });
    await scene.untilRun("review", "done");
    await scene.untilResolved(2);
    await scene.quietPeriods();
    const { stderr } = await second.dispose();
    return scene.end({
      claims: () => ({
        "the crash left the intent pending": leftPending,
        "no intent was delivered twice": hasNoDuplicates(scene),
        "the resumed step's prompt arrived": scene.messageCount(STEP_MESSAGE_TYPE) === 3,
      }),
      complaints: [stderr],
    });
  },
};

export const crashAfterFallback: Scenario = {
  name: "crashAfterFallback",
  event: "Crash between a fallback's send and its resolution, then a new process",
  expected: { intents: [{ cause: "agentCancelled", fate: "fallback" }], callsBefore: 3, callsAfter: 0 },
  host: "processes",
  async run(world) {
    const scene = new ProcessScene(world, { steps: CANCEL_SCRIPT, workflows: [TIDY_UP] });
    const leftPending = await crash(scene);
    const second = await scene.rpc({ resume: true });
    await scene.untilResolved(1);
    await scene.quietPeriods(10);
    const { stderr } = await second.dispose();
    return scene.end({
      claims: () => ({
        "the crash left the intent pending": leftPending,
        "one fallback was sent in all": scene.messageCount(FALLBACK_MESSAGE_TYPE) === 1,
      }),
      complaints: [stderr],
    });
  },
};

/** Runs Pi until it crashes right after its first successor message. Returns whether the intent was left unresolved. */
async function crash(scene: ProcessScene): Promise<boolean> {
  const first = await scene.rpc({ extensions: [CRASH, EXTENSION] });
  await first.prompt("Please begin.");
  await first.ended();
  const intents = scene.store.intents();
  return intents.length === 1 && intents[0]?.resolvedAt === null;
}

function hasNoDuplicates({ entries }: ProcessScene): boolean {
  const ids = entries.flatMap((entry) =>
    entry.type === "custom_message" ? (turnIntentIdIn(entry.details) ?? []) : [],
  );
  return new Set(ids).size === ids.length;
}
