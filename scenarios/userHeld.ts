import { FALLBACK_MESSAGE_TYPE, STEP_MESSAGE_TYPE } from "../src/contracts/messageTypes.ts";
import { REVIEW } from "./review.ts";
import type { Scenario } from "./scenario.ts";
import { oweTurn } from "./support/owedTurn.ts";
import { Scene } from "./support/scene.ts";
import { COMPLETES, says, startsWorkflow, WORKS_ON } from "./support/workflows.ts";

export const userHeld: Scenario = {
  name: "userHeld",
  event: "User Escape or held workflow",
  expected: { intents: [], callsBefore: 3, callsAfter: 0 },
  host: "sdk",
  async run(world) {
    const scene = await Scene.open(world, { steps: [...startsWorkflow("review"), WORKS_ON], workflows: [REVIEW] });
    await scene.ask();
    await scene.untilCall(3);
    await scene.escape();
    return scene.end({
      callsBefore: 3,
      claims: () => ({ "the run is held": scene.store.run("review")?.status === "parked" }),
    });
  },
};

/** While the workflow's turn runs, another process owes the session a turn for the same run, and one for another. */
export const heldThenResumed: Scenario = {
  name: "heldThenResumed",
  event: "User Escape, then a message, then `/workflow resume`",
  expected: {
    intents: [
      { cause: "failed", fate: "fallback" },
      { cause: "failed", fate: "workflowPrompt" },
    ],
    callsBefore: 3,
    callsAfter: 4,
  },
  host: "sdk",
  async run(world) {
    const steps = [
      ...startsWorkflow("review"),
      WORKS_ON,
      says("Yes, I am here."),
      says("Another run failed."),
      ...COMPLETES,
    ];
    const scene = await Scene.open(world, { steps, workflows: [REVIEW] });
    await scene.ask();
    await scene.untilCall(3);
    const { sessionId } = scene;
    const heldRun = scene.store.run("review")?.runId ?? "";
    oweTurn(world, { sessionId, runId: "another-run", workflowRef: "release" });
    oweTurn(world, { sessionId, runId: heldRun, workflowRef: "review" });
    await scene.escape();
    await scene.leaseAndPeriods();
    const callsWhileSilent = scene.calls.length;

    await scene.ask("Are you there?");
    await scene.until("the other run's fallback", () => scene.intents.some(({ resolvedAt }) => resolvedAt !== null));
    await scene.quietPeriods();
    const callsWhileHeld = scene.calls.length;

    await scene.command("resume");
    await scene.untilRun("review", "done");
    await scene.untilResolved(2);
    return scene.end({
      callsBefore: 3,
      claims: () => ({
        "nothing was sent after Escape": callsWhileSilent === 3,
        "the user's message was answered, then one fallback was sent": callsWhileHeld === 5,
        "the fallback was the other run's": scene.callsAbout("another-run died") === 1,
        "one fallback was sent in all": scene.messageCount(FALLBACK_MESSAGE_TYPE) === 1,
        "the step's prompt was sent once more": scene.messageCount(STEP_MESSAGE_TYPE) === 2,
      }),
    });
  },
};
