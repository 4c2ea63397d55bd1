import { createHash } from "node:crypto";
import type { WorkflowTurnIntent } from "../../../generated/records.ts";
import type { DatabaseState } from "../world/databaseView.ts";
import { recordedMessages } from "../world/simulatedSession.ts";
import { PRESENTING_WORKFLOWS } from "../world/workflows.ts";
import type { World } from "../world/world.ts";
import type { Broken } from "./broken.ts";

/** Two looks at the database, one step apart. */
interface Change {
  readonly before: DatabaseState;
  readonly after: DatabaseState;
  readonly intents: readonly WorkflowTurnIntent[];
  readonly world: World;
}

type RowRule = (change: Change) => string | undefined;

const IMMUTABLE = [
  "sourceEventId",
  "runId",
  "workflowRef",
  "targetSessionId",
  "cause",
  "nodeId",
  "attemptId",
  "requestedAt",
] as const;

const RESOLVING_TYPES: Readonly<Record<string, string>> = {
  fallback: "pi-workflows-deferred-turn",
  workflowPrompt: "pi-workflows-step",
  presentation: "pi-workflows-result",
};

const TERMINAL: ReadonlySet<string> = new Set(["done", "failed", "cancelled"]);

const RULES: Readonly<Record<string, RowRule>> = {
  readableRows: ({ after }) => after.unreadable[0],
  oneIntentPerEvent: ({ intents }) =>
    firstTwice(intents, ({ targetSessionId, runId, sourceEventId }) => [targetSessionId, runId, sourceEventId]),
  oneIntentPerAttempt: ({ intents }) =>
    firstTwice(
      intents.filter(({ cause }) => cause !== "claimLost"),
      ({ targetSessionId, runId, nodeId, attemptId }) => [targetSessionId, runId, nodeId, attemptId],
    ),
  onePendingPerRun: ({ intents }) =>
    firstTwice(
      intents.filter(({ resolvedAt }) => resolvedAt === null),
      ({ targetSessionId, runId }) => [targetSessionId, runId],
    ),
  stableIdentity: ({ intents }) => intents.find((intent) => intent.intentId !== expectedId(intent))?.intentId,
  eventOfAttempt: ({ intents }) =>
    intents.find(
      ({ sourceEventId, runId, nodeId, attemptId, cause }) =>
        attemptId !== null &&
        cause !== "claimLost" &&
        sourceEventId !== `source-event:${digest(["attempt", runId, nodeId, attemptId, null])}`,
    )?.intentId,
  stateFields: ({ intents }) =>
    intents.find(({ resolvedAt, resolution, resolutionMessageId, deliveryClaimToken, deliveryClaimExpiresAt }) => {
      const resolving = [resolvedAt, resolution, resolutionMessageId].filter((value) => value !== null).length;
      if (resolving === 3) return deliveryClaimToken !== null || deliveryClaimExpiresAt !== null;
      return resolving !== 0 || (deliveryClaimToken === null) !== (deliveryClaimExpiresAt === null);
    })?.intentId,
  immutableRows: ({ before, after }) => {
    for (const old of before.intents.values()) {
      const now = after.intents.get(old.intentId);
      if (now === undefined) return `${old.intentId} is gone.`;
      const changed = IMMUTABLE.find((name) => now[name] !== old[name]);
      if (changed !== undefined) return `${old.intentId}: ${changed} has changed.`;
      if (old.eligibleAt !== null && now.eligibleAt !== old.eligibleAt)
        return `${old.intentId}: eligibleAt has changed.`;
      if (old.resolvedAt !== null && JSON.stringify(now) !== JSON.stringify(old))
        return `${old.intentId} was resolved.`;
    }
    return undefined;
  },
  factsStandUnderClaim: ({ before, intents, world }) =>
    intents.find((intent) => {
      const old = before.intents.get(intent.intentId);
      const isOneClaim = old?.deliveryClaimToken != null && old.deliveryClaimToken === intent.deliveryClaimToken;
      if (!isOneClaim || !world.isUndisturbed || (old.deliveryClaimExpiresAt ?? 0) <= world.time.wall) return false;
      return JSON.stringify(old.fallbackFacts) !== JSON.stringify(intent.fallbackFacts);
    })?.intentId,
  resolvedWasSeen: (change) =>
    news(change, ({ resolvedAt }) => resolvedAt !== null)
      .map((intent) => unseen(intent, change.world))
      .find((sentence) => sentence !== undefined),
  eligibleOnlyAtEnd: (change) =>
    news(change, ({ eligibleAt }) => eligibleAt !== null).find(({ runId }) => {
      const status = change.after.runs.get(runId)?.status;
      return status !== undefined && !TERMINAL.has(status);
    })?.intentId,
  eligibleAtEnd: ({ before, after, intents }) =>
    intents.find(({ runId, resolvedAt, eligibleAt }) => {
      const run = after.runs.get(runId);
      const endsNow = TERMINAL.has(run?.status ?? "") && !TERMINAL.has(before.runs.get(runId)?.status ?? "");
      const isQuiet = run?.errorCode === "userCancelled";
      const hasResult = run?.status === "done" && PRESENTING_WORKFLOWS.has(run.workflowRef);
      return endsNow && !isQuiet && !hasResult && resolvedAt === null && eligibleAt === null;
    })?.intentId,
  userCancelStaysQuiet: (change) =>
    news(change, ({ eligibleAt }) => eligibleAt !== null).find(
      ({ runId }) => change.after.runs.get(runId)?.errorCode === "userCancelled",
    )?.intentId,
};

export const ROW_INVARIANTS: readonly string[] = Object.keys(RULES);

/** The first rule that the change of the database breaks. */
export function judgeRows(world: World, before: DatabaseState): Broken | undefined {
  const after = world.view.state;
  const change = { before, after, intents: [...after.intents.values()], world };
  for (const [invariant, rule] of Object.entries(RULES)) {
    const found = rule(change);
    if (found !== undefined) return { invariant, sentence: `The database breaks the rule: ${found}` };
  }
  return undefined;
}

/** The intents of which something holds now that did not hold before. */
function news(
  { before, intents }: Change,
  holds: (intent: WorkflowTurnIntent) => boolean,
): readonly WorkflowTurnIntent[] {
  return intents.filter((intent) => {
    const old = before.intents.get(intent.intentId);
    return holds(intent) && (old === undefined || !holds(old));
  });
}

function firstTwice(
  intents: readonly WorkflowTurnIntent[],
  key: (intent: WorkflowTurnIntent) => readonly (string | null)[],
): string | undefined {
  const seen = new Set<string>();
  for (const intent of intents) {
    const text = JSON.stringify(key(intent));
    if (seen.has(text)) return `Two rows for ${text}.`;
    seen.add(text);
  }
  return undefined;
}

/** The digest, computed here once more: a change of the product's own function must not go unnoticed. */
function expectedId({ targetSessionId, runId, sourceEventId, nodeId, attemptId, cause }: WorkflowTurnIntent): string {
  return `deferred-turn:${digest([targetSessionId, runId, sourceEventId, nodeId, attemptId, cause])}`;
}

function digest(parts: readonly (string | null)[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

/** A resolution says that the message is in the session, to stay: in its file, or in memory where there is none. */
function unseen({ intentId, resolution, targetSessionId }: WorkflowTurnIntent, world: World): string | undefined {
  const session = world.sessions.find(({ id }) => id === targetSessionId);
  if (session === undefined) return `${intentId} belongs to no session.`;
  const inMemory = world.everybody.flatMap((process) => (process.session === session ? process.pi.entries : []));
  const messages = recordedMessages(session.file === undefined ? inMemory : session.stored());
  const own = messages.filter((message) => message.intentId === intentId);
  const name = world.story.nameOf(intentId);
  if (own.length === 0) return `${name} is resolved, and its message is not in ${targetSessionId}.`;
  const fits = own.some(({ customType }) => customType === RESOLVING_TYPES[resolution ?? ""]);
  return fits ? undefined : `${name} is resolved as ${resolution}, and its message is of another type.`;
}
