import type { WorkflowRun } from "../../../generated/records.ts";
import type { DatabaseState } from "../world/databaseView.ts";
import type { World } from "../world/world.ts";
import type { Broken } from "./broken.ts";

const ACTIVE: ReadonlySet<string | undefined> = new Set(["starting", "running"]);

export const TAKEOVER_INVARIANTS: readonly string[] = ["takeoverOwesTurn"];

/** A run that was taken over while an agent was at its step has an intent, which the new owner's prompt can resolve. */
export function judgeTakeovers(world: World, before: DatabaseState): Broken | undefined {
  const { state: after } = world.view;
  for (const run of after.runs.values()) {
    if (!wasTakenOver(before.runs.get(run.runId), run) || !world.isNewTakeover(run.runId)) continue;
    if (!world.view.agentWasAtWork(run.runId)) continue;
    const intents = [...after.intents.values()].filter(({ runId }) => runId === run.runId);
    // One that waited before may have absorbed the interruption and be resolved by now.
    const isOwed = intents.some(({ intentId, resolvedAt }) => {
      const old = before.intents.get(intentId);
      return resolvedAt === null || old === undefined || old.resolvedAt === null;
    });
    const isUnsaved = world.living.some(({ memory }) =>
      [...memory.obligations.values()].some(({ draft, stored }) => draft.runId === run.runId && !stored),
    );
    if (isOwed || isUnsaved || intents.some(({ cause }) => cause === "claimLost")) continue;
    return { invariant: "takeoverOwesTurn", sentence: `${run.runId} was taken over, and no intent tells of it.` };
  }
  return undefined;
}

function wasTakenOver(old: WorkflowRun | undefined, run: WorkflowRun): boolean {
  const isClaimedAnew = old?.claimToken != null && run.claimToken !== null && old.claimToken !== run.claimToken;
  return isClaimedAnew && ACTIVE.has(old.status) && ACTIVE.has(run.status);
}
