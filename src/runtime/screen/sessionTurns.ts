import type { WorkflowRun, WorkflowTurnIntent } from "../../../generated/records.ts";
import type { BoundSession } from "../../pi/boundSession.ts";
import { USER_CANCELLED } from "../reconciliation.ts";
import { type Standing, standingOf } from "./standing.ts";

/** An intent of the session, how it stands, and its run, where the store has it. */
export interface SessionTurn {
  readonly intent: WorkflowTurnIntent;
  readonly standing: Standing;
  readonly run: WorkflowRun | undefined;
}

/** How many pending intents are looked at. */
const MOST_PENDING = 100;

/** How many of the session's last runs are looked through for intents that were delivered. */
const RECENT_RUNS = 20;

/** How many intents of one run are looked at. */
const MOST_OF_RUN = 20;

/** The session's unresolved intents, oldest first within a run; `more` when there are too many to show. */
export function pendingTurns(session: BoundSession): {
  readonly turns: readonly SessionTurn[];
  readonly more: boolean;
} {
  const page = session
    .store()
    .listWorkflowTurnIntents({ targetSessionId: session.id, state: "pending", limit: MOST_PENDING });
  return { turns: page.intents.map((intent) => turnOf(session, intent)), more: page.next !== undefined };
}

/** The delivered intents of the session's last runs, the newest first. */
export function deliveredTurns(session: BoundSession): readonly SessionTurn[] {
  const store = session.store();
  const runs = store.listWorkflowRuns({ originSessionId: session.id, limit: RECENT_RUNS });
  const filters = { targetSessionId: session.id, state: "resolved", limit: MOST_OF_RUN } as const;
  return runs
    .flatMap(({ runId }) => store.listWorkflowTurnIntents({ ...filters, runId }).intents)
    .map((intent) => turnOf(session, intent))
    .sort((a, b) => (a.intent.requestedAt < b.intent.requestedAt ? 1 : -1));
}

/** An intent with how it stands now. A run that cannot be read is reported, and hinders nothing. */
function turnOf(session: BoundSession, intent: WorkflowTurnIntent): SessionTurn {
  const { runId } = intent;
  const run = session.attempt(`reading the run ${runId}`, () => session.store().getWorkflowRun(runId));
  const held = session.attempt(`reading the run ${runId}`, () => session.store().isWorkflowRunHeld(runId)) === true;
  const cancelledByUser = run?.errorCode === USER_CANCELLED;
  return { intent, run, standing: standingOf(intent, { held, cancelledByUser, silenced: session.gate.isSilenced }) };
}
