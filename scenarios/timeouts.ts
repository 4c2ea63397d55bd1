import { FALLBACK_MESSAGE_TYPE, STEP_MESSAGE_TYPE } from "../src/contracts/messageTypes.ts";
import type { Scenario } from "./scenario.ts";
import { Scene } from "./support/scene.ts";
import { callsWorkflow, says, startsWorkflow, WORKS_ON } from "./support/workflows.ts";

const PLAIN = {
  name: "check",
  steps: [{ kind: "agent", id: "check", prompt: "Check everything.", timeoutSeconds: 0.3 }],
} as const;

const RECOVERY_PROMPT = "Finish with what you know.";

const WITH_RECOVERY = {
  name: "check",
  steps: [{ ...PLAIN.steps[0], recovery: { prompt: RECOVERY_PROMPT, timeoutSeconds: 0.3 } }],
} as const;

const WITH_LONG_RECOVERY = {
  name: "check",
  steps: [{ ...PLAIN.steps[0], recovery: { prompt: RECOVERY_PROMPT } }],
} as const;

export const stepTimedOut: Scenario = {
  name: "stepTimedOut",
  event: "Agent step times out",
  expected: { intents: [{ cause: "timedOut", fate: "fallback" }], callsBefore: 3, callsAfter: 1 },
  host: "sdk",
  async run(world) {
    const steps = [...startsWorkflow("check"), WORKS_ON, says("I see that it timed out.")];
    const scene = await Scene.open(world, { steps, workflows: [PLAIN] });
    await scene.ask();
    await scene.untilResolved(1);
    return scene.end({ claims: () => ({ "the run failed": scene.store.run("check")?.status === "failed" }) });
  },
};

export const stepRecovers: Scenario = {
  name: "stepRecovers",
  event: "Agent step times out; a recovery prompt arrives",
  expected: { intents: [{ cause: "timedOut", fate: "workflowPrompt" }], callsBefore: 3, callsAfter: 2 },
  host: "sdk",
  async run(world) {
    const steps = [
      ...startsWorkflow("check"),
      WORKS_ON,
      callsWorkflow({ action: "complete", result: "Half of it is fine." }),
      says("Done."),
    ];
    const scene = await Scene.open(world, { steps, workflows: [WITH_LONG_RECOVERY] });
    await scene.ask();
    await scene.untilRun("check", "done");
    await scene.untilResolved(1);
    return scene.end({ claims: () => ({ "no fallback was sent": scene.messageCount(FALLBACK_MESSAGE_TYPE) === 0 }) });
  },
};

export const recoveryTimesOut: Scenario = {
  name: "recoveryTimesOut",
  event: "Agent step times out, recovers, and times out for good",
  expected: {
    intents: [
      { cause: "timedOut", fate: "workflowPrompt" },
      { cause: "timedOut", fate: "fallback" },
    ],
    callsBefore: 3,
    callsAfter: 2,
  },
  host: "sdk",
  async run(world) {
    const steps = [...startsWorkflow("check"), WORKS_ON, WORKS_ON, says("I see that it timed out twice.")];
    const scene = await Scene.open(world, { steps, workflows: [WITH_RECOVERY] });
    await scene.ask();
    await scene.untilResolved(2);
    return scene.end();
  },
};

export const bothTimeOutUnsettled: Scenario = {
  name: "bothTimeOutUnsettled",
  event: "Step and recovery time out before the turn settles",
  expected: { intents: [{ cause: "timedOut", fate: "fallback" }], callsBefore: 3, callsAfter: 1 },
  host: "sdk",
  async run(world) {
    let scene!: Scene;
    const ignoresItsAbort = async () => {
      await scene.untilRun("check", "failed");
      return says("Too late.");
    };
    const steps = [...startsWorkflow("check"), ignoresItsAbort, says("I see that it timed out twice.")];
    scene = await Scene.open(world, { steps, workflows: [WITH_RECOVERY] });
    await scene.ask();
    await scene.untilResolved(1);
    return scene.end({
      claims: () => ({
        "the dead recovery's prompt was not sent": scene.callsAbout(RECOVERY_PROMPT) === 0,
        "one step prompt was sent": scene.messageCount(STEP_MESSAGE_TYPE) === 1,
      }),
    });
  },
};
