import { turnIntentIdIn } from "../../../../src/contracts/messageDetails.ts";
import type { OutgoingMessage, SendOptions } from "../../../../src/turns/session.ts";
import { copies } from "../messages.ts";
import {
  FALLBACK_STATES,
  INTENT_IDS,
  PROMPT,
  PROMPT_STATES,
  REMINDER,
  RUN_NAMES,
  type RunName,
  runNamed,
} from "../runs.ts";
import { LEASE_MS, MAX_SENDS, type SmallProcess } from "../smallProcess.ts";
import type { SmallWorld } from "../smallWorld.ts";
import type { IntentRow } from "../worldFiles.ts";

/** A message that is about to be handed to Pi. */
export interface Send {
  readonly world: SmallWorld;
  readonly process: SmallProcess;
  readonly message: OutgoingMessage;
  readonly options: SendOptions;
}

/** What there is to know of the intent that a message carries. */
interface Carried extends Send {
  readonly name: RunName;
  readonly row: IntentRow | undefined;
  readonly isFallback: boolean;
}

/** How long a prompt in preflight holds back what would start a turn, in passes. */
const PREFLIGHT_PASSES = 2;

const SESSION_RULES: Readonly<Record<string, (send: Send) => boolean>> = {
  "only an idle session is sent a message": ({ process: { pi } }) => !pi.isRunActive && !pi.compacting,
  "nothing is sent inside a handler of Pi": ({ process }) => process.event === undefined,
  "one message is sent to a settled, idle session": ({ process }) => !process.awaitsRun,
  "nothing is sent to a session that the person silenced": ({ world, process }) => !world.silenced.has(process.name),
  "nothing is sent while a prompt is in preflight": ({ world, process }) =>
    (world.preflightPasses.get(process.name) ?? PREFLIGHT_PASSES) >= PREFLIGHT_PASSES,
  "a message of a run with an open intent carries its id": ({ world, message }) =>
    turnIntentIdIn(message.details) !== undefined || !hasOpenIntent(world, message),
  "a held run sends nothing": ({ world, message }) => !world.isHeld || runOf(message) !== "second",
  "a prompt is sent only while its step is current": ({ world, message }) =>
    (message.content !== PROMPT && message.content !== REMINDER) || PROMPT_STATES.has(world.runs.second.state),
  "what comes from outside stays in its quotes": ({ message }) => isWellQuoted(message.content),
  "a reminder does not take its prompt's place": ({ message }) => message.content !== REMINDER,
};

const INTENT_RULES: Readonly<Record<string, (carried: Carried) => boolean>> = {
  "only an intent of this session is delivered": ({ row }) =>
    row === undefined || row.target_session_id === "session-1",
  "a resolved intent is not sent again": ({ row }) => row?.resolved_at == null,
  "an intent is sent under a live claim": ({ world, row, isFallback }) =>
    (world.storeFailed && !isFallback) || isLive(row, world.now),
  "only an intent whose run is over gets a fallback": ({ world, name, isFallback }) =>
    !isFallback || FALLBACK_STATES.has(world.runs[name].state),
  "a workflow message that waits comes before a fallback of its run": (carried) =>
    !carried.isFallback || carried.name !== "second" || !isPromptWaiting(carried),
  "the process of the interruption goes first": (carried) => !carried.isFallback || mayStepIn(carried),
  "the oldest message that is ready goes first": (carried) => !carried.isFallback || !overtakesPrompt(carried),
  "an intent is sent only so often": ({ process, name }) =>
    (process.memory.sends.get(INTENT_IDS[name])?.count ?? 1) <= MAX_SENDS,
};

/** The rules that a send breaks. */
export function brokenSendRules(send: Send): readonly string[] {
  if (send.options.triggerTurn !== true) return [];
  const broken = Object.entries(SESSION_RULES).filter(([, holds]) => !holds(send));
  const carried = carriedBy(send);
  const brokenOfIntent =
    carried === undefined ? [] : Object.entries(INTENT_RULES).filter(([, holds]) => !holds(carried));
  return [...broken, ...brokenOfIntent].map(([rule]) => rule);
}

/** Whether each fact of a message stands on one line of its own, once, and the reason in the quotes of a JSON string. */
function isWellQuoted(content: string): boolean {
  const facts = [...content.matchAll(/^- (?<name>\w+): (?<value>.*)$/gm)].map(({ groups }) => groups);
  const names = facts.map((fact) => fact?.["name"]);
  const reason = facts.find((fact) => fact?.["name"] === "reason")?.["value"];
  return new Set(names).size === names.length && (reason === undefined || isJsonString(reason));
}

function isJsonString(text: string): boolean {
  try {
    return typeof JSON.parse(text) === "string";
  } catch {
    return false;
  }
}

function carriedBy(send: Send): Carried | undefined {
  const intentId = turnIntentIdIn(send.message.details);
  const name = RUN_NAMES.find((run) => INTENT_IDS[run] === intentId);
  if (name === undefined) return undefined;
  const isFallback = send.message.customType === "pi-workflows-deferred-turn";
  return { ...send, name, row: send.world.row(name), isFallback };
}

function runOf({ details }: OutgoingMessage): RunName | undefined {
  return runNamed(String(details?.["runId"]));
}

/** Whether the run of a message has an unresolved intent whose message stands nowhere yet. */
function hasOpenIntent(world: SmallWorld, message: OutgoingMessage): boolean {
  const name = runOf(message);
  if (name === undefined) return false;
  const row = world.row(name);
  return row !== undefined && row.resolved_at === null && copies(world, name) === 0;
}

function isLive(row: IntentRow | undefined, now: number): boolean {
  return row?.delivery_claim_expires_at != null && row.delivery_claim_expires_at > now;
}

/** Whether the second run's prompt waits in the same process, and longer. */
function overtakesPrompt(carried: Carried): boolean {
  const { world, name, row } = carried;
  const mayGo = name === "first" && !world.isHeld && world.faults === 0 && isPromptWaiting(carried);
  const isOlder = Date.parse(row?.eligible_at ?? "") > (world.prompt?.since ?? 0);
  return mayGo && isOlder && world.row("second")?.resolved_at === null && copies(world, "second") === 0;
}

/** Whether a current prompt of the second run waits in the process. */
function isPromptWaiting({ world, process }: Send): boolean {
  return world.prompt?.holder === process.name && PROMPT_STATES.has(world.runs.second.state);
}

/** Another process steps in where it opened the session later, or when the host let a lease go by. */
function mayStepIn({ world, process, name, row }: Carried): boolean {
  const eligibleAt = Date.parse(row?.eligible_at ?? "");
  const startedAt = world.startedAt.get(process.name) ?? 0;
  return world.runs[name].hosts.has(process.name) || eligibleAt <= startedAt || eligibleAt + LEASE_MS <= world.now;
}
