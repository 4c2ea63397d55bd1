import { draftTurnIntent } from "../../src/contracts/draft.ts";
import { sourceEventId } from "../../src/contracts/identity.ts";
import { openControllerStore } from "../../src/store/openControllerStore.ts";
import { projectStorePath } from "../../src/store/projectStorePath.ts";
import type { World } from "./world.ts";

/** Whom a turn is owed, and for which run. */
export interface OwedTurn {
  readonly sessionId: string;
  readonly runId: string;
  readonly workflowRef: string;
}

/** Stores an eligible intent as another process does that dies before it can send anything. */
export function oweTurn(world: World, { sessionId, runId, workflowRef }: OwedTurn): void {
  const [nodeId, attemptId] = ["work", "attempt-1"];
  const draft = draftTurnIntent({
    targetSessionId: sessionId,
    runId,
    workflowRef,
    sourceEventId: sourceEventId({ kind: "attempt", runId, nodeId, attemptId }),
    cause: "failed",
    nodeId,
    attemptId,
    observedState: "failed",
    reason: `the process that worked on ${runId} died`,
  });
  const store = openControllerStore({ path: projectStorePath(world.projectDir, world.env) });
  try {
    store.ensureWorkflowTurnIntent({ ...draft, eligible: true });
  } finally {
    store.close();
  }
}
