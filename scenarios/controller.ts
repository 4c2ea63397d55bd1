import type { Scenario } from "./scenario.ts";
import { interrupt } from "./support/interruptCommand.ts";
import { Scene } from "./support/scene.ts";
import { says, startsWorkflow, WORKS_ON } from "./support/workflows.ts";

export const controllerInterrupted: Scenario = {
  name: "controllerInterrupted",
  event: "Controller interrupts an active workflow turn",
  expected: { intents: [{ cause: "controllerInterrupted", fate: "fallback" }], callsBefore: 3, callsAfter: 1 },
  host: "sdk",
  async run(world) {
    const workflow = { name: "audit", steps: [{ kind: "agent", id: "read", prompt: "Read everything." }] } as const;
    const steps = [...startsWorkflow("audit"), WORKS_ON, says("I see that the audit was stopped.")];
    const scene = await Scene.open(world, { steps, workflows: [workflow] });
    await scene.ask();
    await scene.untilCall(3);
    await interrupt(world, scene.store.run("audit")?.runId ?? "", "the release was called off");
    await scene.untilResolved(1);
    return scene.end({
      claims: () => ({
        "the run was cancelled": scene.store.run("audit")?.status === "cancelled",
        "the fallback tells the controller's reason": scene.callsAbout("the release was called off") === 1,
      }),
    });
  },
};
