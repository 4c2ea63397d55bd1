import { SETTINGS } from "../world/simulatedProcess.ts";
import type { SentMessage, World } from "../world/world.ts";
import type { Broken } from "./broken.ts";

/** A rule for a message that starts a turn, at the moment when it is handed to Pi: what it breaks, in a sentence. */
type SendRule = (sent: SentMessage, world: World) => string | undefined;

/** A prompt may be in preflight for two passes before it counts as called off; the second one comes at the earliest then. */
const PREFLIGHT_MS = 1000;

const RULES: Readonly<Record<string, SendRule>> = {
  intoAbort: ({ moment }) =>
    moment.phase === "running" && moment.aborted ? "It goes into a turn that is being aborted." : undefined,
  whileBusy: ({ moment }) =>
    moment.phase === "starting" || moment.phase === "running" || moment.compacting
      ? "The session was not idle."
      : undefined,
  inSessionStart: ({ moment }) =>
    moment.during.includes("session_start") ? "It was sent from inside session_start." : undefined,
  inSettlement: ({ moment, process }) =>
    process.isResident && moment.during.includes("agent_settled")
      ? "It was sent from inside agent_settled."
      : undefined,
  whileClosing: ({ moment }) =>
    moment.leaving || moment.during.includes("session_shutdown") ? "The session was closing." : undefined,
  overPrompt: ({ moment, process, at }) =>
    moment.inPreflight && at - process.typedAt < PREFLIGHT_MS ? "A prompt of the user was in preflight." : undefined,
  whileSilenced: ({ process }) =>
    process.isSilenced ? "The user pressed Escape and has not said anything since." : undefined,
  wrongSession: ({ intentId, session }, { view }) => {
    const target = view.state.intents.get(intentId ?? "")?.targetSessionId;
    return target !== undefined && target !== session.id ? `The intent belongs to ${target}.` : undefined;
  },
  whileHeld: ({ intentId, process, at, disturbed }, { view }) => {
    const runId = view.state.intents.get(intentId ?? "")?.runId;
    if (runId === undefined || !view.state.held.has(runId) || disturbed !== undefined) return undefined;
    // Whoever stands still between its last question and its send cannot know what was held meanwhile.
    const { lastStandstill } = process;
    const heldMeanwhile = lastStandstill?.endedAt === at && !lastStandstill.heldBefore.has(runId);
    return heldMeanwhile ? undefined : `The run ${runId} is held.`;
  },
  afterResolution: ({ intentId, disturbed }, { view }) =>
    disturbed === undefined && view.state.intents.get(intentId ?? "")?.resolvedAt != null
      ? "The intent was resolved already."
      : undefined,
  withoutClaim: ({ intentId = "", process, disturbed }, { view }) => {
    const intent = view.state.intents.get(intentId);
    if (disturbed !== undefined || intent === undefined || intent.resolvedAt !== null) return undefined;
    const claimToken = process.memory.sent.get(intentId)?.claimToken;
    const owesUnsaved = [...process.memory.obligations.values()].some(({ stored }) => !stored);
    if (claimToken === undefined) return owesUnsaved ? undefined : "It was sent without a claim.";
    return claimToken === intent.deliveryClaimToken
      ? undefined
      : "The claim that it was sent under is not in the store.";
  },
  oneSendPerIdle: (sent, { sends }) => {
    const before = sends.findLast((other) => other !== sent && other.process === sent.process && startsTurn(other));
    if (before === undefined || before.session !== sent.session || before.run !== sent.run) return undefined;
    const { fate } = before.moment;
    if (fate !== "thrown" && sent.at - before.at < PREFLIGHT_MS) return "Another message was sent just before.";
    const isToCome = before.intentId !== undefined && (fate === "taken" || fate === "doubled");
    return isToCome ? "The message before has not had its turn yet." : undefined;
  },
  hostComesFirst: ({ intentId = "", process, moment }, { view, isUndisturbed }) => {
    const eligibleAt = Date.parse(view.state.intents.get(intentId)?.eligibleAt ?? "");
    const isFallback = moment.message.customType === "pi-workflows-deferred-turn";
    const isGuest = isFallback && !process.memory.obligations.has(intentId) && isUndisturbed;
    if (!isGuest || process.openedAt >= eligibleAt) return undefined;
    const waited = process.clock.now() - eligibleAt;
    return waited < SETTINGS.turns.deliveryLeaseMs ? "Another process saw the interruption happen." : undefined;
  },
};

export const SEND_INVARIANTS: readonly string[] = Object.keys(RULES);

/** The first rule that a message breaks. One that starts no turn is free to go at any time. */
export function judgeSend(world: World, sent: SentMessage): Broken | undefined {
  if (!startsTurn(sent)) return undefined;
  for (const [invariant, rule] of Object.entries(RULES)) {
    const sentence = rule(sent, world);
    if (sentence !== undefined) return { invariant, sentence: `${sent.process.name} sent a message. ${sentence}` };
  }
  return undefined;
}

function startsTurn({ moment }: SentMessage): boolean {
  return moment.options.triggerTurn === true;
}
