import { REVIEW } from "./review.ts";
import type { Scenario } from "./scenario.ts";
import { ProcessScene } from "./support/processScene.ts";
import { Tui } from "./support/tui.ts";
import { COMPLETES, startsWorkflow, WORKS_ON } from "./support/workflows.ts";
import type { World } from "./support/world.ts";

export const escapeInTerminal: Scenario = {
  name: "escapeInTerminal",
  event: "User Escape in the terminal, then `/workflow resume`",
  expected: { intents: [], callsBefore: 3, callsAfter: 2 },
  host: "terminal",
  async run(world) {
    const { scene, tui } = await withWorkflowTurn(world);
    tui.press("Escape");
    await scene.untilRun("review", "parked");
    await scene.quietPeriods(10);
    const callsWhileHeld = scene.calls.length;
    await tui.prompt("/workflow resume");
    await scene.untilRun("review", "done");
    await scene.quietPeriods();
    await tui.quit();
    return scene.end({
      callsBefore: 3,
      claims: () => ({ "nothing was sent while the run was held": callsWhileHeld === 3 }),
    });
  },
};

export const quitInTerminal: Scenario = {
  name: "quitInTerminal",
  event: "Quit of the terminal in a workflow turn, then a start",
  expected: { intents: [], callsBefore: 3, callsAfter: 2 },
  host: "terminal",
  async run(world) {
    const { scene, tui } = await withWorkflowTurn(world);
    await tui.quit();
    const statusWhileClosed = scene.store.run("review")?.status;
    await scene.quietPeriods();
    const callsWhileClosed = scene.calls.length;
    const second = new Tui(scene.pi({ resume: true }));
    await scene.untilRun("review", "done");
    await scene.quietPeriods();
    await second.quit();
    return scene.end({
      callsBefore: 3,
      claims: () => ({
        "the run was parked": statusWhileClosed === "parked",
        "no turn ran at the closing": callsWhileClosed === 3,
      }),
    });
  },
};

/** Pi in a terminal, where the turn of a workflow's step runs. */
async function withWorkflowTurn(world: World): Promise<{ readonly scene: ProcessScene; readonly tui: Tui }> {
  const scene = new ProcessScene(world, {
    steps: [...startsWorkflow("review"), WORKS_ON, ...COMPLETES],
    workflows: [REVIEW],
  });
  const tui = new Tui(scene.pi());
  await tui.untilReady();
  await tui.prompt("Please begin.");
  await scene.untilCall(3);
  return { scene, tui };
}
