import type { SentMessage } from "../../../src/turns/processMemory.ts";
import type { FakeEntry } from "../../support/fakeSessionLog.ts";
import type { PrivateFields } from "./privateFields.ts";
import type { SmallProcess } from "./smallProcess.ts";
import { LEASE_MS } from "./smallProcess.ts";
import type { SmallWorld } from "./smallWorld.ts";
import type { IntentRow } from "./worldFiles.ts";

/** What the times and tokens of a state are told by. */
type Moment = Pick<SmallWorld, "now" | "rows">;

/** Beyond this, how long ago something was makes no difference to anybody. */
const LONG_AGO_MS = 2 * LEASE_MS;

/** What a bound session keeps to itself. Left out is what the session was made with, and what is told to people only. */
const SESSION_SHAPE = {
  "#parts": "leftOut",
  "#session": "leftOut",
  "#store": "leftOut",
  "#coordinator": {
    "#options": "leftOut",
    "#eligible": "leftOut",
    "#startedAt": "wanted",
    "#departed": "wanted",
    "#queue": { "#waiting": "wanted" },
    "#obligations": { "#memory": "leftOut", "#transitions": "wanted" },
    "#deliveries": { "#options": "leftOut", "#claims": "leftOut" },
    "#gate": {
      "#sessionId": "leftOut",
      "#life": "leftOut",
      "#memory": "leftOut",
      "#phase": "wanted",
      "#lastSettlement": "wanted",
      "#abortedByClosing": "wanted",
      "#preflightPasses": "wanted",
      "#departurePasses": "wanted",
    },
  },
} as const;

/** What the coordinator keeps of a natural message that waits. */
interface Waiting {
  readonly natural: { readonly kind: string; readonly runId: string };
  readonly since: number;
}

/**
 * All that decides over the future of a world, as one text: equal texts are one state. Times are told relative to now,
 * and whatever is random or counts up (ids, tokens) by what it means.
 */
export function canonicalState(world: SmallWorld, fields: PrivateFields): string {
  const { now, rows } = world;
  return JSON.stringify({
    rows: rows.map((row) => canonicalRow(row, world)),
    file: world.files.entries().map(canonicalEntry),
    processes: Object.values(world.processes).map((process) => canonicalProcess(process, { now, rows }, fields)),
    runs: Object.values(world.runs).map(({ state, hosts }) => [state, ...hosts]),
    silenced: [...world.silenced],
    preflight: [...world.preflightPasses],
    isHeld: world.isHeld,
    prompt: world.prompt?.holder,
    faults: world.faults,
    storeFailed: world.storeFailed,
  });
}

/** What decides over the future of the store alone, as one text. */
export function canonicalRows(world: SmallWorld): string {
  return JSON.stringify(world.rows.map((row) => canonicalRow(row, world)));
}

function canonicalRow(row: IntentRow, world: SmallWorld): unknown {
  return {
    id: row.intent_id,
    facts: row.fallback_facts_json,
    eligible: age(row.eligible_at, world.now),
    resolution: row.resolution,
    claim:
      row.delivery_claim_token === null ? null : [ownerOf(row, world), left(row.delivery_claim_expires_at, world.now)],
  };
}

/** Who could still use a claim: the process in whose memory its token stands, or nobody. */
function ownerOf({ intent_id, delivery_claim_token }: IntentRow, { alive }: SmallWorld): string | undefined {
  return alive.find(({ memory }) => memory.sent.get(intent_id)?.claimToken === delivery_claim_token)?.name;
}

function canonicalEntry({ type, customType, details, message }: FakeEntry): unknown {
  const { turnIntentId } = (details ?? {}) as { readonly turnIntentId?: unknown };
  return [type, customType, turnIntentId, message?.role];
}

function canonicalProcess(process: SmallProcess, moment: Moment, fields: PrivateFields): unknown {
  if (!process.isAlive) return process.life;
  const { memory, pi, session, awaitsRun, isAwake } = process;
  const { "#coordinator": coordinator } = fields.of(session, SESSION_SHAPE);
  const waiting = coordinator["#queue"]["#waiting"] as readonly Waiting[];
  const transitions = coordinator["#obligations"]["#transitions"] as ReadonlyMap<string, unknown>;
  const { sent, runs: _counted, obligations, ...remembered } = memory;
  return {
    entries: pi.entries.map(canonicalEntry),
    pi: [pi.phase, awaitsRun, isAwake, pi.slowSettlement, pi.isInPreflight, pi.compacting],
    gate: coordinator["#gate"],
    waiting: waiting.map(({ natural, since }) => [natural.kind, natural.runId, ageMs(since, moment.now)]),
    departed: [...(coordinator["#departed"] as ReadonlyMap<string, unknown>).keys()],
    transitions: [...transitions.keys()],
    startedAt: ageMs(coordinator["#startedAt"] as number, moment.now),
    sent: [...sent.values()].map((message) => canonicalSent(message, process, moment)),
    obligations: [...obligations.values()].map(({ draft, ...obligation }) => [draft.intentId, obligation]),
    remembered: Object.entries(remembered).map(([name, collection]) => [name, ...collection]),
  };
}

/** Runs are counted from the beginning of the process; only the difference to the count of now says anything. */
function canonicalSent(sent: SentMessage, { memory }: SmallProcess, { now, rows }: Moment): unknown {
  const runs = memory.runs.get(sent.sessionId) ?? 0;
  const row = rows.find(({ intent_id }) => intent_id === sent.intentId);
  const hasClaim = sent.claimToken !== undefined && sent.claimToken === row?.delivery_claim_token;
  return {
    ...sent,
    claimToken: sent.claimToken === undefined ? "none" : hasClaim ? "stored" : "lost",
    renewAt: left(sent.renewAt, now),
    deferredAtRun: sent.deferredAtRun === undefined ? null : runs - sent.deferredAtRun,
    absence: sent.absence === undefined ? null : [runs - sent.absence.runs, sent.absence.looks],
  };
}

function age(timestamp: string | null, now: number): number | null {
  return timestamp === null ? null : ageMs(Date.parse(timestamp), now);
}

function ageMs(since: number, now: number): number {
  return Math.min(now - since, LONG_AGO_MS);
}

/** How long something still lasts; whatever is over is over. */
function left(until: number | null, now: number): number | null {
  return until === null ? null : Math.max(until - now, 0);
}
