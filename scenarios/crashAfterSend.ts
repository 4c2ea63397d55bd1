import { fileURLToPath } from "node:url";
import { turnIntentIdIn } from "../src/contracts/messageDetails.ts";
import { FALLBACK_MESSAGE_TYPE, STEP_MESSAGE_TYPE } from "../src/contracts/messageTypes.ts";
import { CANCEL_SCRIPT, TIDY_UP } from "./agentCancel.ts";
import { LATE_REVIEW } from "./review.ts";
import type { Scenario } from "./scenario.ts";
import { EXTENSION } from "./support/extension.ts";
import { ProcessScene } from "./support/processScene.ts";
import { COMPLETES, startsWorkflow, WORKS_ON } from "./support/workflows.ts";

const CRASH = fileURLToPath(new URL("./support/crashWhenDelivered.ts", import.meta.url));

export const crashAfterPrompt: Scenario = {
  name: "crashAfterPrompt",
  event: "Crash between send and resolution of a prompt",
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
    const steps = [...startsWorkflow("review"), WORKS_ON, ...COMPLETES];
    const scene = new ProcessScene(world, { steps, workflows: [LATE_REVIEW] });
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
  event: "Crash between send and resolution of a fallback",
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
  const intents = scene.intents;
  return intents.length === 1 && intents[0]?.resolvedAt === null;
}

function hasNoDuplicates({ entries }: ProcessScene): boolean {
  const ids = entries.flatMap((entry) =>
    entry.type === "custom_message" ? (turnIntentIdIn(entry.details) ?? []) : [],
  );
  return new Set(ids).size === ids.length;
}
