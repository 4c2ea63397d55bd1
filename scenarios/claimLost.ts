import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { FALLBACK_MESSAGE_TYPE, STEP_MESSAGE_TYPE } from "../src/contracts/messageTypes.ts";
import { LATE_REVIEW, REVIEW } from "./review.ts";
import type { Scenario } from "./scenario.ts";
import { interrupt } from "./support/interruptCommand.ts";
import { ProcessScene } from "./support/processScene.ts";
import { DELIVERY_LEASE_MS, QUEUE_LEASE_MS, SYNC_MS } from "./support/swiftSettings.ts";
import { COMPLETES, says, startsWorkflow, WORKS_ON } from "./support/workflows.ts";

export const claimLost: Scenario = {
  name: "claimLost",
  event: "Active workflow turn loses its queue claim",
  expected: { intents: [{ cause: "claimLost", fate: "workflowPrompt" }], callsBefore: 3, callsAfter: 2 },
  host: "processes",
  async run(world) {
    const steps = [...startsWorkflow("review"), WORKS_ON, ...COMPLETES];
    const scene = new ProcessScene(world, { steps, workflows: [REVIEW] });
    const first = await scene.rpc();
    await first.prompt("Please begin.");
    await scene.untilCall(3);
    first.suspend();
    const callsBefore = scene.calls.length;
    const second = await scene.rpc({ resume: true });
    await scene.untilRun("review", "done");
    await scene.untilResolved(1);
    await second.until(() => scene.calls.length === 5 && second.events("agent_settled").length > 0, {
      what: "the second process's turn to settle",
    });

    const durable = () => [
      scene.intents,
      scene.store.runs(),
      scene.store.events(scene.store.run("review")?.runId ?? ""),
    ];
    const before = durable();
    const settlements = first.events("agent_settled").length;
    first.goOn();
    await first.until(() => first.events("agent_settled").length > settlements, {
      what: "the loser's turn to be stopped",
    });
    await scene.quietPeriods(10);
    const after = durable();
    const ends = [await first.dispose(), await second.dispose()];
    return scene.end({
      callsBefore,
      claims: () => ({
        "the loser, continued, wrote nothing": isDeepStrictEqual(before, after),
        "the step's prompt was sent once by each process": scene.messageCount(STEP_MESSAGE_TYPE) === 2,
        "no fallback was sent": scene.messageCount(FALLBACK_MESSAGE_TYPE) === 0,
      }),
      complaints: ends.map(({ stderr }) => stderr),
    });
  },
};

export const claimLostThenEnded: Scenario = {
  name: "claimLostThenEnded",
  event: "Lost claim, whose new owner is stopped before its prompt",
  expected: { intents: [{ cause: "claimLost", fate: "fallback" }], callsBefore: 4, callsAfter: 1 },
  host: "processes",
  async run(world) {
    const answerNow = join(world.root, "answer-now");
    const slowAnswer = { text: "Yes.", holdUntilFile: answerNow };
    const steps = [...startsWorkflow("review"), WORKS_ON, slowAnswer, says("I see that it was stopped.")];
    const scene = new ProcessScene(world, { steps, workflows: [REVIEW] });
    const first = await scene.rpc();
    await first.prompt("Please begin.");
    await scene.untilCall(3);
    await first.kill();
    const second = await scene.rpc({ resume: true });
    await second.prompt("Are you there?");
    await scene.untilIntents(1);
    const [afterTakeover] = scene.intents;
    await interrupt(world, scene.store.run("review")?.runId ?? "", "the release was called off");
    await scene.untilRun("review", "cancelled");
    writeFileSync(answerNow, "");
    await scene.untilResolved(1);
    await scene.quietPeriods();
    const { stderr } = await second.dispose();
    return scene.end({
      claims: () => ({
        "the intent was not eligible while the new owner could go on": afterTakeover?.eligibleAt === null,
        "the dead prompt was not sent": scene.messageCount(STEP_MESSAGE_TYPE) === 1,
        "the fallback tells how the run ended": scene.callsAbout("cancelled") === 1,
      }),
      complaints: [stderr],
    });
  },
};

export const liveOwner: Scenario = {
  name: "liveOwner",
  event: "Slow but live owner: time alone proves nothing",
  expected: { intents: [{ cause: "timedOut", fate: "workflowPrompt" }], callsBefore: 3, callsAfter: 2 },
  host: "processes",
  async run(world) {
    const goOn = join(world.root, "go-on");
    const slow = { text: "At last.", holdUntilFile: goOn, ignoresAbort: true };
    const scene = new ProcessScene(world, {
      steps: [...startsWorkflow("review"), slow, ...COMPLETES],
      workflows: [LATE_REVIEW],
    });
    const owner = await scene.rpc();
    await owner.prompt("Please begin.");
    await scene.untilIntents(1);
    const watcher = await scene.rpc({ resume: true });
    await scene.quietPeriods((QUEUE_LEASE_MS + 2 * DELIVERY_LEASE_MS) / SYNC_MS);
    const [afterLeases] = scene.intents;
    const callsAfterLeases = scene.calls.length;
    writeFileSync(goOn, "");
    await scene.untilRun("review", "done");
    await scene.untilResolved(1);
    await scene.quietPeriods();
    const ends = [await owner.dispose(), await watcher.dispose()];
    return scene.end({
      claims: () => ({
        "the intent was not eligible after all leases": afterLeases?.eligibleAt === null,
        "nobody sent anything meanwhile": callsAfterLeases === 3,
        "no other process took the run over": scene.intents.length === 1,
      }),
      complaints: ends.map(({ stderr }) => stderr),
    });
  },
};
