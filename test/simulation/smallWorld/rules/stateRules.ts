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
  const violation = (rule: string): Violation => ({ rule, at: row.run_id });
  const name = RUN_NAMES.find((run) => INTENT_IDS[run] === row.intent_id);
  const isBystander = row.intent_id === BYSTANDER_ID;
  const isKnown = name !== undefined || isBystander || row.run_id.startsWith(CROWD_RUN);
  const hasToken = row.delivery_claim_token !== null;
  const expiresAt = row.delivery_claim_expires_at;
  const resolved = [row.resolved_at, row.resolution, row.resolution_message_id].filter(
    (value) => value !== null,
  ).length;
  return [
    ...(!isKnown ? [violation("a source event has at most one intent")] : []),
    ...(isBystander && (hasToken || resolved > 0) ? [violation("an intent of another session is left alone")] : []),
    ...(hasToken !== (expiresAt !== null) || (hasToken && resolved > 0) || (expiresAt ?? 0) > world.now + LEASE_MS
      ? [violation("a claim is well-formed")]
      : []),
    ...(row.fallback_facts_json.includes(SECRET) ? [violation("no credential is stored")] : []),
    ...(/\\u001b|\[2J/.test(row.fallback_facts_json) ? [violation("no command to a terminal is stored")] : []),
    ...(resolved !== 0 && resolved !== 3 ? [violation("a resolution is whole")] : []),
    ...(name !== undefined && row.eligible_at !== null && !FALLBACK_STATES.has(world.runs[name].state)
      ? [violation("only a run that cannot go on makes its intent eligible")]
      : []),
  ];
}

function brokenByReports(world: SmallWorld): readonly Violation[] {
  return world.alive.flatMap(({ name, turns }) =>
    turns.diagnostics
      .recent()
      .filter(({ code }) => !EXPECTED_REPORTS.has(code) && !(world.storeFailed && code === "STORE_FAILED"))
      .map(({ code, message }) => ({ rule: "nothing unexpected is reported", at: `${name}: ${code}: ${message}` })),
  );
}
