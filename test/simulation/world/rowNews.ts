import type { WorkflowTurnIntent } from "../../../generated/records.ts";
import type { DatabaseState } from "./databaseView.ts";
import type { World } from "./world.ts";

/** What is new in the database, in sentences without a full stop; each new cause and resolution is counted. */
export function newsOf(before: DatabaseState, after: DatabaseState, world: World): readonly string[] {
  return [...runNews(before, after), ...intentNews(before, after, world)];
}

function runNews(before: DatabaseState, after: DatabaseState): readonly string[] {
  return [...after.runs.values()].flatMap(({ runId, status, errorCode, runnerId }) => {
    const old = before.runs.get(runId);
    const wasHeld = before.held.has(runId);
    const isHeld = after.held.has(runId);
    if (old?.status === status && old.runnerId === runnerId && wasHeld === isHeld) return [];
    const by = runnerId === null ? "" : ` by ${runnerId}`;
    const why = errorCode === null ? "" : ` (${errorCode})`;
    return [`the run ${runId} is ${status}${by}${why}${isHeld ? " and held" : ""}`];
  });
}

function intentNews(before: DatabaseState, after: DatabaseState, world: World): readonly string[] {
  return [...after.intents.values()].flatMap((intent) => {
    const old = before.intents.get(intent.intentId);
    const [was, is] = [old === undefined ? undefined : stateOf(old), stateOf(intent)];
    if (was === is) return [];
    const name = world.story.nameOf(intent.intentId);
    if (old === undefined) {
      world.coverage.add("cause", intent.cause);
      const place = `${intent.nodeId}${intent.attemptId === null ? "" : `/${intent.attemptId}`}`;
      return [`${name} stands for ${intent.cause} at ${place} of ${intent.runId} and is ${is}`];
    }
    if (intent.resolution !== null && old.resolution === null) {
      world.coverage.add("resolution", intent.resolution);
      world.coverage.add("cause and resolution", `${intent.cause} by ${intent.resolution}`);
    }
    return [`${name} is ${is}`];
  });
}

function stateOf({ resolution, eligibleAt, deliveryClaimToken }: WorkflowTurnIntent): string {
  if (resolution !== null) return `resolved by ${resolution}`;
  const claimed = deliveryClaimToken === null ? "" : `, claimed (${deliveryClaimToken.slice(0, 8)})`;
  return `pending and ${eligibleAt === null ? "not yet eligible" : "eligible"}${claimed}`;
}
