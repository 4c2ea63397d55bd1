import { REVIEW } from "./review.ts";
import type { Outcome, Scenario } from "./scenario.ts";
import { oweTurn } from "./support/owedTurn.ts";
import { Scene } from "./support/scene.ts";
import type { SdkSession } from "./support/sdkSession.ts";
import { until } from "./support/until.ts";
import { COMPLETES, callsWorkflow, says, startsWorkflow, WORKS_ON } from "./support/workflows.ts";
import type { World } from "./support/world.ts";

/** Once the session is back: the fallback first, because it was owed first, then the step's prompt. */
const AFTER_RETURN = {
  expected: { intents: [{ cause: "failed", fate: "fallback" }], callsBefore: 4, callsAfter: 3 },
  host: "sdk",
} as const;

export const newSessionInTurn: Scenario = {
  ...AFTER_RETURN,
  name: "newSessionInTurn",
  event: "/new in a workflow turn, then back",
  run: (world) => leavesAndReturns(world, ({ pi }) => pi.runtime.newSession()),
};

export const resumeInTurn: Scenario = {
  ...AFTER_RETURN,
  name: "resumeInTurn",
  event: "/resume in a workflow turn, then back",
  run: (world) => leavesAndReturns(world, ({ pi }, older) => pi.runtime.switchSession(older)),
};

export const forkInTurn: Scenario = {
  ...AFTER_RETURN,
  name: "forkInTurn",
  event: "Fork in a workflow turn, then back",
  run: (world) => leavesAndReturns(world, ({ pi }) => pi.runtime.fork(leafOf(pi), { position: "at" })),
};

function leafOf({ session }: SdkSession): string {
  return session.sessionManager.getLeafId() ?? "";
}

/** A session is left while its workflow's turn runs and another run's turn is owed to it, and is returned to later. */
async function leavesAndReturns(
  world: World,
  leave: (scene: Scene, older: string) => Promise<unknown>,
): Promise<Outcome> {
  const steps = [
    says("Hello."),
    ...startsWorkflow("review"),
    WORKS_ON,
    says("I see that another run failed."),
    ...COMPLETES,
  ];
  const scene = await Scene.open(world, { steps, workflows: [REVIEW] });
  await scene.ask("Hello?");
  const older = scene.sessionFile;
  await scene.pi.runtime.newSession();
  const { sessionId, sessionFile } = scene;
  await scene.ask();
  await scene.untilCall(4);
  oweTurn(world, { sessionId, runId: "another-run", workflowRef: "release" });
  await leave(scene, older);
  const statusAtLeave = scene.store.run("review")?.status;
  await scene.leaseAndPeriods();
  const callsElsewhere = scene.calls.length;

  await scene.pi.runtime.switchSession(sessionFile);
  await scene.untilResolved(1);
  await scene.untilRun("review", "done");
  return scene.end({
    claims: () => ({
      "the run waited, parked": statusAtLeave === "parked",
      "nothing was sent while the session was closed": callsElsewhere === 4,
    }),
  });
}

export const reloadInTurn: Scenario = {
  name: "reloadInTurn",
  event: "/reload in a workflow turn, and before its fallback",
  expected: { intents: [{ cause: "agentCancelled", fate: "fallback" }], callsBefore: 3, callsAfter: 1 },
  host: "sdk",
  async run(world) {
    let scene!: Scene;
    let refusal = "";
    const reloadsThenCancels = async () => {
      await scene.pi.session.reload().catch((error: Error) => {
        refusal = error.message;
      });
      return callsWorkflow({ action: "cancel", reason: "enough" });
    };
    const steps = [...startsWorkflow("review"), reloadsThenCancels, says("I see that it was cancelled.")];
    scene = await Scene.open(world, { steps, workflows: [REVIEW] });
    await scene.ask();
    await scene.untilIntents(1);
    const reloaded = (): Promise<boolean> =>
      scene.pi.session.reload().then(
        () => true,
        () => false,
      );
    await until(reloaded, { what: "the cancelled turn to settle, and a reload" });
    await scene.untilResolved(1);
    return scene.end({ claims: () => ({ "Pi refused to reload in the turn": refusal.includes("Wait for") }) });
  },
};
