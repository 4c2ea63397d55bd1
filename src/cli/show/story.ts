import type { RunEvent, WorkflowRun, WorkflowTurnIntent } from "../../../generated/records.ts";
import { LAUNCH_NODE_ID } from "../../contracts/identity.ts";
import { isTimestamp } from "../../contracts/timestamp.ts";
import { hasLiveClaim } from "../output/intentState.ts";
import type { FoundMessage } from "./sessionMessage.ts";

/** Something that happened on the way of an intent. */
export interface StoryEntry {
  /** When, as the store or session tells it; null where nobody recorded it. */
  readonly at: string | null;
  readonly what:
    | "runQueued"
    | "runStarted"
    | "sourceEvent"
    | "requested"
    | "runEvent"
    | "eligible"
    | "messageSent"
    | "resolved"
    | "runEnded"
    | "claimed";
  readonly text: string;
}

/** What is known of an intent. */
export interface IntentWorld {
  readonly intent: WorkflowTurnIntent;
  /** Undefined where the store has no such run, or cannot read it. */
  readonly run: WorkflowRun | undefined;
  readonly events: readonly RunEvent[];
  readonly message: FoundMessage | undefined;
  readonly now: number;
}

/** The story of an intent, in the order of time; what happened at the same time stands in the order of its causes. */
export function storyOf(world: IntentWorld): readonly StoryEntry[] {
  const entries = [
    ...beforeTheInterruption(world),
    ...interruption(world),
    ...world.events.map(eventEntry),
    ...delivery(world),
    ...afterwards(world),
  ];
  return [...inTimeOrder(entries), ...claim(world)];
}

function inTimeOrder(entries: readonly StoryEntry[]): readonly StoryEntry[] {
  const timeOf = ({ at }: StoryEntry): number => (at === null ? Number.POSITIVE_INFINITY : Date.parse(at));
  return entries.toSorted((one, other) => (timeOf(one) < timeOf(other) ? -1 : Number(timeOf(one) > timeOf(other))));
}

function beforeTheInterruption({ run }: IntentWorld): readonly StoryEntry[] {
  if (run === undefined) return [];
  const { createdAt, startedAt } = run;
  return [
    { at: createdAt, what: "runQueued", text: `run ${run.runId} of ${run.workflowRef}` },
    ...(startedAt === null
      ? []
      : [{ at: startedAt, what: "runStarted" as const, text: "a runner began to execute it" }]),
  ];
}

function interruption({ intent }: IntentWorld): readonly StoryEntry[] {
  const { requestedAt, sourceEventId, cause, nodeId, attemptId, fallbackFacts } = intent;
  const where = [
    ...(nodeId === null ? [] : [nodeId === LAUNCH_NODE_ID ? "launch" : `step ${nodeId}`]),
    ...(attemptId === null ? [] : [`attempt ${attemptId}`]),
  ];
  const { reason } = fallbackFacts;
  return [
    { at: requestedAt, what: "sourceEvent", text: sourceEventId },
    {
      at: requestedAt,
      what: "requested",
      text: `${[cause, ...where].join(", ")}${reason === null ? "" : `: ${reason}`}`,
    },
  ];
}

function eventEntry({ recordedAt, type, payloadJson, runnerId }: RunEvent): StoryEntry {
  const by = runnerId === null ? "" : ` (${runnerId})`;
  return { at: recordedAt, what: "runEvent", text: `${type}${by} ${payloadJson}` };
}

function delivery({ intent, message }: IntentWorld): readonly StoryEntry[] {
  const { eligibleAt, resolvedAt, resolution, resolutionMessageId } = intent;
  return [
    ...(eligibleAt === null
      ? []
      : [
          {
            at: eligibleAt,
            what: "eligible" as const,
            text: "a fallback may be sent: no natural successor is expected",
          },
        ]),
    ...(message === undefined
      ? []
      : [{ at: sentAt(message), what: "messageSent" as const, text: `${message.customType}, ${placeOf(message)}` }]),
    ...(resolvedAt === null
      ? []
      : [{ at: resolvedAt, what: "resolved" as const, text: `by ${resolution}, message ${resolutionMessageId}` }]),
  ];
}

function afterwards({ run }: IntentWorld): readonly StoryEntry[] {
  if (run === undefined || run.finishedAt === null) return [];
  const why = [run.errorCode, run.errorMessage].filter((part) => part !== null).join(": ");
  return [{ at: run.finishedAt, what: "runEnded", text: why === "" ? run.status : `${run.status} (${why})` }];
}

/** A claim says until when it holds, and not since when: it ends the story. */
function claim({ intent, now }: IntentWorld): readonly StoryEntry[] {
  const { deliveryClaimExpiresAt } = intent;
  if (deliveryClaimExpiresAt === null) return [];
  const until = new Date(deliveryClaimExpiresAt).toISOString();
  const text = hasLiveClaim(intent, now)
    ? `a process is about to deliver; its claim holds until ${until}`
    : `a process wanted to deliver; its claim ran out at ${until}, and any session of the target may take it`;
  return [{ at: null, what: "claimed", text }];
}

/** Where a message stands, for a person who opens the file. */
export function placeOf({ line, entries, copies }: FoundMessage): string {
  const more = copies > 1 ? `, and ${copies - 1} more with the same intent` : "";
  return `line ${line} of the session file, which has ${entries} entries${more}`;
}

/** Another program may have written any time into a session file. */
function sentAt({ timestamp }: FoundMessage): string | null {
  return isTimestamp(timestamp) ? timestamp : null;
}
