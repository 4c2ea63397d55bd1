import { FALLBACK_MESSAGE_TYPE, STEP_MESSAGE_TYPE } from "../src/contracts/messageTypes.ts";
import { LATE_REVIEW, LOST_REVIEW, RECOVERY_PROMPT, SHORT_REVIEW } from "./review.ts";
import type { Scenario } from "./scenario.ts";
import { Scene } from "./support/scene.ts";
import { COMPLETES, says, startsWorkflow, WORKS_ON } from "./support/workflows.ts";

export const stepTimedOut: Scenario = {
  name: "stepTimedOut",
  event: "Agent step times out",
  expected: { intents: [{ cause: "timedOut", fate: "fallback" }], callsBefore: 3, callsAfter: 1 },
  host: "sdk",
  async run(world) {
    const steps = [...startsWorkflow("review"), WORKS_ON, says("I see that it timed out.")];
    const scene = await Scene.open(world, { steps, workflows: [SHORT_REVIEW] });
    await scene.ask();
    await scene.untilResolved(1);
    return scene.end({ claims: () => ({ "the run failed": scene.store.run("review")?.status === "failed" }) });
  },
};

export const stepRecovers: Scenario = {
  name: "stepRecovers",
  event: "Agent step times out and recovers",
  expected: { intents: [{ cause: "timedOut", fate: "workflowPrompt" }], callsBefore: 3, callsAfter: 2 },
  host: "sdk",
  async run(world) {
    const steps = [...startsWorkflow("review"), WORKS_ON, ...COMPLETES];
    const scene = await Scene.open(world, { steps, workflows: [LATE_REVIEW] });
    await scene.ask();
    await scene.untilRun("review", "done");
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
    const steps = [...startsWorkflow("review"), WORKS_ON, WORKS_ON, says("I see that it timed out twice.")];
    const scene = await Scene.open(world, { steps, workflows: [LOST_REVIEW] });
    await scene.ask();
    await scene.untilResolved(2);
    return scene.end();
  },
};

export const bothTimeOutUnsettled: Scenario = {
  name: "bothTimeOutUnsettled",
  event: "Step and recovery time out before settlement",
  expected: { intents: [{ cause: "timedOut", fate: "fallback" }], callsBefore: 3, callsAfter: 1 },
  host: "sdk",
  async run(world) {
    let scene!: Scene;
    const ignoresItsAbort = async () => {
      await scene.untilRun("review", "failed");
      return says("Too late.");
    };
    const steps = [...startsWorkflow("review"), ignoresItsAbort, says("I see that it timed out twice.")];
    scene = await Scene.open(world, { steps, workflows: [LOST_REVIEW] });
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
