import { join } from "node:path";
import { LATE_REVIEW, REVIEW } from "./review.ts";
import type { Scenario } from "./scenario.ts";
import { ProcessScene } from "./support/processScene.ts";
import { COMPLETES, startsWorkflow, WORKS_ON } from "./support/workflows.ts";

export const sessionShutdown: Scenario = {
  name: "sessionShutdown",
  event: "Session shutdown in a workflow turn, then a start",
  expected: { intents: [], callsBefore: 3, callsAfter: 2 },
  host: "processes",
  async run(world) {
    const steps = [...startsWorkflow("review"), WORKS_ON, ...COMPLETES];
    const scene = new ProcessScene(world, { steps, workflows: [REVIEW] });
    const first = await scene.rpc();
    await first.prompt("Please begin.");
    await scene.untilCall(3);
    const startedClosing = performance.now();
    const end = await first.dispose();
    const closedInMs = performance.now() - startedClosing;
    const statusWhileClosed = scene.store.run("review")?.status;
    await scene.quietPeriods();
    const callsWhileClosed = scene.calls.length;

    const second = await scene.rpc({ resume: true });
    await scene.untilRun("review", "done");
    await scene.quietPeriods();
    const secondEnd = await second.dispose();
    return scene.end({
      callsBefore: 3,
      claims: () => ({
        "Pi ended well and at once": end.status === 0 && closedInMs < 5000,
        "the run was parked": statusWhileClosed === "parked",
        "no turn ran at the closing": callsWhileClosed === 3,
      }),
      complaints: [end.stderr, secondEnd.stderr],
    });
  },
};

export const cancelledThenRestarted: Scenario = {
  name: "cancelledThenRestarted",
  event: "Direct `/workflow cancel` with an intent, then a restart",
  expected: { intents: [{ cause: "timedOut", fate: "pending" }], callsBefore: 3, callsAfter: 0 },
  host: "processes",
  async run(world) {
    const steps = [
      ...startsWorkflow("review"),
      { text: "Too late.", holdUntilFile: join(world.root, "never"), ignoresAbort: true },
    ];
    const scene = new ProcessScene(world, { steps, workflows: [LATE_REVIEW] });
    const first = await scene.rpc();
    await first.prompt("Please begin.");
    await scene.untilIntents(1);
    await first.prompt("/workflow cancel");
    const statusAfterCancel = scene.store.run("review")?.status;
    await first.kill();

    const second = await scene.rpc({ resume: true });
    await scene.quietPeriods(10);
    const { stderr } = await second.dispose();
    return scene.end({
      callsBefore: 3,
      claims: () => ({ "the run was cancelled": statusAfterCancel === "cancelled" }),
      complaints: [stderr],
    });
  },
};
