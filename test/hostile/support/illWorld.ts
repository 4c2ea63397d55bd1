import { expect } from "vitest";
import { openControllerStore } from "../../../src/store/openControllerStore.ts";
import { agentCancel, end, interruptionDraft, type TurnWorld, turnWorld } from "../../support/turnWorld.ts";

export const owed = interruptionDraft();

/** A session that has not started yet and finds its store at the path, with diagnostics as Pi's extension keeps them. */
export function sessionOn(path: string): TurnWorld {
  const world: TurnWorld = turnWorld({
    binding: {
      openStore: () =>
        openControllerStore({
          path,
          now: world.clock.now,
          busyTimeoutMs: 20,
          onDiagnostic: (diagnostic) => world.turns.diagnostics.report(diagnostic),
        }),
    },
  });
  return world;
}

/** A turn in which the agent cancels its workflow, which ends by it. Returns whether the turn was stopped. */
export function cancelledTurn(world: TurnWorld): boolean {
  let aborted = false;
  world.pi.prompt("work", (turn) => {
    world.session().interrupt(agentCancel(owed));
    aborted = turn.isAborted();
    end(world, owed);
  });
  return aborted;
}

/** The store is well: after some passes the turn that was owed has come once, and it stays at that. */
export function expectOneTurn(world: TurnWorld): void {
  world.periods(10);
  const messages = world.pi.sent.map(({ message }) => message.details);
  expect(messages).toEqual([expect.objectContaining({ turnIntentId: owed.intentId })]);
  expect(world.pi.modelCalls).toHaveLength(2);
  expect(world.session().store().getWorkflowTurnIntent(owed.intentId)).toMatchObject({ resolution: "fallback" });
}
