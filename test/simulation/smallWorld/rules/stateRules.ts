import type { FakeEntry } from "../../../support/fakeSessionLog.ts";
import { carriers, copies } from "../messages.ts";
import { bystander, CROWD_RUN, FALLBACK_STATES, INTENT_IDS, RUN_NAMES, type RunName, SECRET } from "../runs.ts";
import { LEASE_MS } from "../smallProcess.ts";
import type { SmallWorld } from "../smallWorld.ts";
import type { IntentRow } from "../worldFiles.ts";
import type { Violation } from "./violation.ts";

/** What may be reported without anything being wrong with us: what Pi or the store was made to do. */
const EXPECTED_REPORTS: ReadonlySet<string> = new Set(["SEND_LOST", "SEND_FAILED", "SENDS_EXHAUSTED"]);

/** A column that nobody changes. */
const FIXED = ["intent_id", "run_id", "target_session_id", "requested_at"] as const;

const BYSTANDER_ID = bystander().intentId;

/** A row, in the world that it stands in; `name` where it is the intent of one of the two runs. */
interface RowInWorld {
  readonly world: SmallWorld;
  readonly row: IntentRow;
  readonly name: RunName | undefined;
}

const ROW_RULES: Readonly<Record<string, (standing: RowInWorld) => boolean>> = {
  "a source event has at most one intent": ({ row, name }) =>
    name !== undefined || row.intent_id === BYSTANDER_ID || row.run_id.startsWith(CROWD_RUN),
  "an intent of another session is left alone": ({ row }) =>
    row.intent_id !== BYSTANDER_ID || (row.delivery_claim_token === null && resolvedColumns(row) === 0),
  "a claim is well-formed": ({ world, row }) => isWellFormedClaim(world, row),
  "a process claims an intent only while its message is on its way": ({ world, row }) => !isIdleClaim(world, row),
  "a resolution is whole": ({ row }) => [0, 3].includes(resolvedColumns(row)),
  "only a run that cannot go on makes its intent eligible": ({ world, row, name }) =>
    name === undefined || row.eligible_at === null || FALLBACK_STATES.has(world.runs[name].state),
  "no credential is stored": ({ row }) => !row.fallback_facts_json.includes(SECRET),
  "no command to a terminal is stored": ({ row }) => !/\\u001b|\[2J/.test(row.fallback_facts_json),
};

/** The rules that the world breaks as it stands. */
export function brokenStateRules(world: SmallWorld): readonly Violation[] {
  const { rows } = world;
  const stored = world.files.entries();
  return [
    ...RUN_NAMES.flatMap((name) => brokenByMessages(world, name, { rows, stored })),
    ...rows.flatMap((row) => brokenByRow(world, row)),
    ...brokenByReports(world),
  ];
}

/** The rules that a step broke by what it changed. */
export function brokenStepRules(before: readonly IntentRow[], after: readonly IntentRow[], now: number): Violation[] {
  return before.flatMap((old) => {
    const row = after.find(({ intent_id }) => intent_id === old.intent_id);
    const violation = (rule: string): Violation => ({ rule, at: old.run_id });
    if (row === undefined) return [violation("an intent is never deleted")];
    const wasLive = old.delivery_claim_expires_at !== null && old.delivery_claim_expires_at > now;
    const sameClaim = old.delivery_claim_token === row.delivery_claim_token;
    return [
      ...FIXED.filter((column) => row[column] !== old[column]).map(() => violation("immutable columns stay")),
      ...(old.eligible_at !== null && row.eligible_at !== old.eligible_at
        ? [violation("eligible_at is set once")]
        : []),
      ...(old.resolved_at !== null && JSON.stringify(row) !== JSON.stringify(old)
        ? [violation("a resolved intent is frozen")]
        : []),
      ...(wasLive && sameClaim && row.fallback_facts_json !== old.fallback_facts_json
        ? [violation("facts stay while a live claim holds the intent")]
        : []),
      ...(wasLive && row.delivery_claim_token !== null && ownerOf(old) !== ownerOf(row)
        ? [violation("a live claim is not taken by another process")]
        : []),
    ];
  });
}

/** A claim's token begins with the name of its process. */
function ownerOf({ delivery_claim_token }: IntentRow): string | undefined {
  return delivery_claim_token?.split("-")[0];
}

function brokenByMessages(
  world: SmallWorld,
  name: RunName,
  { rows, stored }: { readonly rows: readonly IntentRow[]; readonly stored: readonly FakeEntry[] },
): readonly Violation[] {
  const inFile = carriers(stored, name);
  const count = copies(world, name, stored);
  const row = rows.find(({ intent_id }) => intent_id === INTENT_IDS[name]);
  const at = `${name} run`;
  return [
    ...(count > 1 ? [{ rule: "an intent has at most one message", at: `${at}: ${count}` }] : []),
    ...(row?.resolved_at != null && inFile.length === 0 ? [{ rule: "resolved implies seen", at }] : []),
    ...(row?.resolved_at != null && inFile.every(({ customType }) => resolutionOf(customType) !== row.resolution)
      ? [{ rule: "the resolution is the one of the message", at: `${at}: ${row.resolution}` }]
      : []),
  ];
}

function resolutionOf(customType: string | undefined): string | undefined {
  return {
    "pi-workflows-deferred-turn": "fallback",
    "pi-workflows-step": "workflowPrompt",
    "pi-workflows-result": "presentation",
  }[customType ?? ""];
}

function brokenByRow(world: SmallWorld, row: IntentRow): readonly Violation[] {
  const name = RUN_NAMES.find((run) => INTENT_IDS[run] === row.intent_id);
  const broken = Object.entries(ROW_RULES).filter(([, holds]) => !holds({ world, row, name }));
  return broken.map(([rule]) => ({ rule, at: row.run_id }));
}

/** How many of a row's three columns of a resolution are set. */
function resolvedColumns({ resolved_at, resolution, resolution_message_id }: IntentRow): number {
  return [resolved_at, resolution, resolution_message_id].filter((value) => value !== null).length;
}

function isWellFormedClaim({ now }: SmallWorld, row: IntentRow): boolean {
  const { delivery_claim_token: token, delivery_claim_expires_at: expiresAt } = row;
  if (token === null || expiresAt === null) return token === expiresAt;
  return resolvedColumns(row) === 0 && expiresAt <= now + LEASE_MS;
}

/** Whether a process that lives holds a claim for no message. A release that the store refused is made up for by time. */
function isIdleClaim({ alive, storeFailed, now }: SmallWorld, row: IntentRow): boolean {
  const owner = alive.find(({ name }) => name === ownerOf(row));
  const isLive = (row.delivery_claim_expires_at ?? 0) > now;
  const isUsed = owner?.memory.sent.get(row.intent_id)?.claimToken === row.delivery_claim_token;
  return owner !== undefined && isLive && !isUsed && !storeFailed;
}

function brokenByReports(world: SmallWorld): readonly Violation[] {
  return world.alive.flatMap(({ name, turns }) =>
    turns.diagnostics
      .recent()
      .filter(({ code }) => !EXPECTED_REPORTS.has(code) && !(world.storeFailed && code === "STORE_FAILED"))
      .map(({ code, message }) => ({ rule: "nothing unexpected is reported", at: `${name}: ${code}: ${message}` })),
  );
}
