import type { Outcome, Scenario } from "./scenario.ts";
import { oweTurn } from "./support/owedTurn.ts";
import { Scene } from "./support/scene.ts";
import { callsWorkflow, says, startsWorkflow, WORKS_ON } from "./support/workflows.ts";
import type { World } from "./support/world.ts";

const REVIEW = { name: "review", steps: [{ kind: "agent", id: "read", prompt: "Read the change." }] } as const;

/** Once the session is back: the fallback first, because it was owed first, then the step's prompt. */
const AFTER_RETURN = {
  expected: { intents: [{ cause: "failed", fate: "fallback" }], callsBefore: 4, callsAfter: 3 },
  host: "sdk",
} as const;

export const newSessionInTurn: Scenario = {
  ...AFTER_RETURN,
  name: "newSessionInTurn",
  event: "/new while a workflow turn runs; delivered at the session's next start",
  run: (world) => leavesAndReturns(world, ({ session }) => session.runtime.newSession()),
};

export const resumeInTurn: Scenario = {
  ...AFTER_RETURN,
  name: "resumeInTurn",
  event: "/resume of another session while a workflow turn runs; delivered at the session's next start",
  run: (world) => leavesAndReturns(world, ({ session }, older) => session.runtime.switchSession(older)),
};

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
    callsWorkflow({ action: "complete", result: "It is fine." }),
    says("Done."),
  ];
  const scene = await Scene.open(world, { steps, workflows: [REVIEW] });
  await scene.ask("Hello?");
  const older = scene.sessionFile;
  await scene.session.runtime.newSession();
  const { sessionId, sessionFile } = scene;
  await scene.ask();
  await scene.untilCall(4);
  oweTurn(world, { sessionId, runId: "another-run", workflowRef: "release" });
  await leave(scene, older);
  const statusAtLeave = scene.store.run("review")?.status;
  await scene.leaseAndPeriods();
  const callsElsewhere = scene.callCount;

  await scene.session.runtime.switchSession(sessionFile);
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
  event: "/reload while a workflow turn runs is refused; one before the fallback doubles nothing",
  expected: { intents: [{ cause: "agentCancelled", fate: "fallback" }], callsBefore: 3, callsAfter: 1 },
  host: "sdk",
  async run(world) {
    let scene!: Scene;
    let refusal = "";
    const reloadsThenCancels = async () => {
      await scene.session.session.reload().catch((error: Error) => {
        refusal = error.message;
      });
      return callsWorkflow({ action: "cancel", reason: "enough" });
    };
    const steps = [...startsWorkflow("review"), reloadsThenCancels, says("I see that it was cancelled.")];
    scene = await Scene.open(world, { steps, workflows: [REVIEW] });
    await scene.ask();
    await scene.until(
      "the cancelled turn to settle",
      () => scene.intents().length === 1 && scene.session.session.isIdle,
    );
    await scene.session.session.reload();
    await scene.untilResolved(1);
    return scene.end({ claims: () => ({ "Pi refused to reload in the turn": refusal.includes("Wait for") }) });
  },
};
