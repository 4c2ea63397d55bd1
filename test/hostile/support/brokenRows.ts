import Database from "better-sqlite3";
import { insertIntent, type RowChanges, text } from "../../store/helpers/bareStore.ts";
import { draft } from "../../store/helpers/storeWorld.ts";

/** Writes to a store as a program does that has dropped its guards first. They come back when the store is opened. */
export function writeUnguarded(path: string, ...statements: readonly string[]): void {
  const database = new Database(path);
  const guards = database
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name GLOB '*_guard_*'")
    .pluck()
    .all();
  for (const guard of guards) database.exec(`DROP TRIGGER "${guard}"`);
  for (const sql of statements) database.exec(sql);
  database.close();
}

const facts = draft({ runId: "bad" }).fallbackFacts;
const bytes = (hex: string): string => `CAST(x'${hex}' AS TEXT)`;
const hexOf = (value: string): string => Buffer.from(value).toString("hex");

/** Facts with a reason whose last character is cut in the middle. */
const CUT_REASON = bytes(
  hexOf(JSON.stringify({ ...facts, reason: "!" })).replace(hexOf(':"!'), `${hexOf(':"')}f09f98`),
);

/** What other programs may write into the columns of an intent, each of which breaks the contract. */
export const BROKEN_COLUMNS: Readonly<Record<string, RowChanges>> = {
  "an unknown cause": { cause: text("bored") },
  "an id that is no digest": { intent_id: text("deferred-turn:1") },
  "an id of a megabyte": { intent_id: "printf('%.*c', 1000000, 'x')" },
  "an empty node": { node_id: text("") },
  "an attempt of 513 characters": { attempt_id: "printf('%.*c', 513, 'x')" },
  "U+0000 in a source event": { source_event_id: "'a' || char(0) || 'b'" },
  "a source event that is no UTF-8": { source_event_id: bytes("61ff62") },
  "a workflow that is no UTF-8": { workflow_ref: bytes("c3") },
  "surrogates encoded as UTF-8": { workflow_ref: bytes("eda080edb080") },
  "a run that is no UTF-8, in its facts too": {
    run_id: bytes("61ff62"),
    fallback_facts_json: bytes(hexOf(JSON.stringify({ ...facts, runId: "a!b" })).replace("612162", "61ff62")),
  },
  "a reason whose end is cut off": { fallback_facts_json: CUT_REASON },
  "facts that are no JSON": { fallback_facts_json: text("{") },
  "facts that are null": { fallback_facts_json: text("null") },
  "facts of another run": { fallback_facts_json: text(JSON.stringify({ ...facts, runId: "other" })) },
  "facts with an unknown field": { fallback_facts_json: text(JSON.stringify({ ...facts, more: 1 })) },
  "facts nested 10,000 deep": { fallback_facts_json: text("[".repeat(10_000) + "]".repeat(10_000)) },
  "facts that are a blob": { fallback_facts_json: `CAST(${text(JSON.stringify(facts))} AS BLOB)` },
  "facts of 4 MiB": { fallback_facts_json: "zeroblob(4194304)" },
  "a time with an offset": { requested_at: text("2026-08-21T10:00:00.000+02:00") },
  "a day that is not in the calendar": { eligible_at: text("2026-02-30T08:00:00.000Z") },
  "a time that is a number": { eligible_at: "1787300000000" },
  "a resolution without a time": { resolution: text("fallback") },
  "a claim without an end": { delivery_claim_token: text("a") },
  "the end of a claim, without a claim": { delivery_claim_expires_at: "5" },
  "a claim that ends before 1970": { delivery_claim_token: text("a"), delivery_claim_expires_at: "-5" },
  "a claim that never ends": { delivery_claim_token: text("a"), delivery_claim_expires_at: "9223372036854775807" },
  "a claim that ends at 1e308": { delivery_claim_token: text("a"), delivery_claim_expires_at: "1e308" },
  "a claim that ends soon": { delivery_claim_token: text("a"), delivery_claim_expires_at: text("soon") },
  "a claim that is a blob": { delivery_claim_token: "x'61'", delivery_claim_expires_at: "5" },
};

/** The insertion of an eligible intent of a run of session-1, with columns of one's own. */
export function insertBroken(runId: string, changes: RowChanges): string {
  return insertIntent(draft({ runId }), { eligible_at: text("2026-08-21T08:00:00.000Z"), ...changes });
}
