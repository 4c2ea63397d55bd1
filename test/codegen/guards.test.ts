import { describe, expect, it } from "vitest";
import { ENGINES, GuardedStore } from "./support/engines.ts";
import {
  factsText,
  INTENT_ID,
  type IntentValues,
  insertIntent,
  intentId,
  RESOLVED,
  sql,
  updateIntent,
  validIntent,
} from "./support/intents.ts";

const CLAIMED: IntentValues = { delivery_claim_token: "token-1", delivery_claim_expires_at: 1_787_300_000_000 };
const UNCLAIMED: IntentValues = { delivery_claim_token: null, delivery_claim_expires_at: null };

/** Columns that each break one rule, and the beginning of the sentence that says so. */
const BROKEN_COLUMNS: readonly (readonly [rule: string, changes: IntentValues, sentence: string])[] = [
  ["a cause outside the list", { cause: "outOfBudget" }, ".cause must be one of "],
  ["a resolution outside the list", { ...RESOLVED, resolution: "retry" }, ".resolution must be one of "],
  ["an id in another form", { intent_id: `deferred-turn:${"A".repeat(64)}` }, ".intent_id must be text of 78"],
  ["an id that goes on", { intent_id: `${INTENT_ID}\n` }, ".intent_id must be text of 78"],
  ["an empty key", { workflow_ref: "" }, ".workflow_ref must be text of 1 to 512 characters"],
  ["a key of 513 characters", { source_event_id: "é".repeat(513) }, ".source_event_id must be text of 1 to 512"],
  ["text behind U+0000", { node_id: sql("'draft' || char(0) || 'x'") }, ".node_id must be text"],
  ["a blob", { target_session_id: sql("CAST('session-1' AS BLOB)") }, ".target_session_id must be text"],
  ["null where it may not be", { requested_at: null }, ".requested_at must be a UTC time"],
  ["a time with an offset", { requested_at: "2026-08-21T10:17:31.000+02:00" }, ".requested_at must be a UTC time"],
  ["a time without milliseconds", { eligible_at: "2026-08-21T08:17:31Z" }, ".eligible_at must be a UTC time"],
  ["a time with a space", { eligible_at: "2026-08-21 08:17:31.000Z" }, ".eligible_at must be a UTC time"],
  ["30 February", { eligible_at: "2026-02-30T08:17:31.000Z" }, ".eligible_at must be a UTC time"],
  ["24 o'clock", { eligible_at: "2026-02-20T24:00:00.000Z" }, ".eligible_at must be a UTC time"],
  ["a lone resolution", { resolution: "fallback" }, ": resolved_at, resolution and resolution_message_id must be set"],
  ["a lone claim token", { delivery_claim_token: "token-1" }, ": delivery_claim_token and delivery_claim_expires_at"],
  ["a claim on a resolved row", { ...RESOLVED, ...CLAIMED }, ": resolved_at and delivery_claim_token must not both"],
  [
    "a claim that ends at a fraction",
    { ...CLAIMED, delivery_claim_expires_at: 1.5 },
    ".delivery_claim_expires_at must",
  ],
  ["a claim that ends at text", { ...CLAIMED, delivery_claim_expires_at: "soon" }, ".delivery_claim_expires_at must"],
];

describe.each(ENGINES)("guards of workflow_turn_intents, written through $name", (engine) => {
  const withIntent = (changes: IntentValues = {}): GuardedStore =>
    new GuardedStore(engine, insertIntent(validIntent(changes)));

  it("take a row that keeps every rule, and its whole life", () => {
    const store = withIntent();
    store.must(updateIntent(CLAIMED));
    store.must(updateIntent(UNCLAIMED));
    store.must(
      updateIntent({ eligible_at: "2026-08-21T08:17:40.000Z", fallback_facts_json: factsText({ reason: null }) }),
    );
    store.must(updateIntent(CLAIMED));
    store.must(updateIntent({ ...RESOLVED, ...UNCLAIMED }));
    expect(store.rows()).toMatchObject([{ intent_id: INTENT_ID, ...RESOLVED, ...UNCLAIMED }]);
  });

  it("take keys of 512 characters, whatever their bytes", () => {
    const key = "😀".repeat(512);
    expect(new GuardedStore(engine).refusal(insertIntent(validIntent({ source_event_id: key })))).toBeUndefined();
  });

  it.each(BROKEN_COLUMNS)("refuse to insert %s", (_rule, changes, sentence) => {
    const store = new GuardedStore(engine);
    expect(store.refusal(insertIntent(validIntent(changes)))).toContain(`workflow_turn_intents${sentence}`);
    expect(store.rows()).toEqual([]);
  });

  const mutable = ["eligible_at", "resolved_at", "resolution", "delivery_claim_token", "delivery_claim_expires_at"];
  it.each(BROKEN_COLUMNS.filter(([, changes]) => Object.keys(changes).every((column) => mutable.includes(column))))(
    "refuse to update to %s",
    (_rule, changes, sentence) => {
      expect(withIntent().refusal(updateIntent(changes))).toContain(`workflow_turn_intents${sentence}`);
    },
  );

  it.each([
    ["intent_id", intentId(2)],
    ["source_event_id", "another"],
    ["run_id", "run-2"],
    ["workflow_ref", "another"],
    ["target_session_id", "session-2"],
    ["cause", "timedOut"],
    ["node_id", null],
    ["attempt_id", "attempt-2"],
    ["requested_at", "2026-08-21T08:17:32.000Z"],
  ])("never let %s change", (column, value) => {
    const sentence = `workflow_turn_intents.${column} cannot change after the row was created.`;
    expect(withIntent().refusal(updateIntent({ [column]: value }))).toContain(sentence);
  });

  it("let eligible_at be set once: it is never unset and never moved", () => {
    const store = withIntent();
    store.must(updateIntent({ eligible_at: "2026-08-21T08:17:40.000Z" }));
    const sentence = "workflow_turn_intents.eligible_at is set once";
    expect(store.refusal(updateIntent({ eligible_at: null }))).toContain(sentence);
    expect(store.refusal(updateIntent({ eligible_at: "2026-08-21T08:17:41.000Z" }))).toContain(sentence);
    expect(store.refusal(updateIntent({ eligible_at: "2026-08-21T08:17:40.000Z" }))).toBeUndefined();
  });

  it.each<readonly [string, IntentValues]>([
    ["a second resolution", { resolution: "presentation", resolution_message_id: "message-2" }],
    ["the loss of its resolution", { resolved_at: null, resolution: null, resolution_message_id: null }],
    ["other facts", { fallback_facts_json: factsText({ reason: null }) }],
    ["eligibility", { eligible_at: "2026-08-21T08:19:00.000Z" }],
    ["a claim", CLAIMED],
  ])("keep a resolved row from %s", (_change, changes) => {
    const store = withIntent(RESOLVED);
    expect(store.refusal(updateIntent(changes))).toContain("nothing changes in a row after resolved_at is set.");
    expect(store.refusal(updateIntent(UNCLAIMED))).toBeUndefined();
  });

  it("allow one unresolved intent for a run and a session", () => {
    const store = withIntent();
    const second = validIntent({ intent_id: intentId(2), source_event_id: "second" });
    expect(store.refusal(insertIntent(second))).toContain("there is a row with the same run_id and target_session_id");
    expect(store.refusal(insertIntent({ ...second, target_session_id: "session-2" }))).toBeUndefined();
    store.must(updateIntent(RESOLVED));
    expect(store.refusal(insertIntent({ ...second, intent_id: intentId(3) }))).toBeUndefined();
  });

  it("refuse to delete a row, pending or resolved, until the guard is dropped", () => {
    const store = withIntent(RESOLVED);
    const remove = "DELETE FROM workflow_turn_intents;";
    expect(store.refusal(remove)).toContain("workflow_turn_intents: a row is not deleted; to prune, drop this trigger");
    const prune = `BEGIN IMMEDIATE; DROP TRIGGER workflow_turn_intents_guard_delete; ${remove} COMMIT;`;
    expect(store.refusal(prune)).toBeUndefined();
    expect(store.rows()).toEqual([]);
  });
});

describe.each(ENGINES)("REPLACE, which deletes without a delete trigger, through $name", (engine) => {
  const replacing = "INSERT OR REPLACE";
  const other = validIntent({
    intent_id: intentId(2),
    run_id: "run-2",
    fallback_facts_json: factsText({ runId: "run-2" }),
  });

  function expectUnchanged(store: GuardedStore, script: string, sentence: string): void {
    const before = store.rows();
    expect(store.refusal(script)).toContain(sentence);
    expect(store.rows()).toEqual(before);
  }

  it.each<readonly [string, IntentValues]>([
    ["pending", {}],
    ["resolved", RESOLVED],
  ])("cannot take the place of a %s row by its id", (_state, changes) => {
    const store = new GuardedStore(engine, insertIntent(validIntent(changes)));
    expectUnchanged(store, insertIntent(validIntent(), replacing), "workflow_turn_intents.intent_id: there is a row");
    expectUnchanged(store, insertIntent(validIntent(), "INSERT OR IGNORE"), "intent_id: there is a row");
  });

  it("cannot take the place of a row by its rowid", () => {
    const store = new GuardedStore(engine, insertIntent(validIntent()));
    expectUnchanged(store, insertIntent({ ...other, rowid: 1 }, replacing), "there is a row with this rowid");
    expectUnchanged(store, insertIntent({ ...other, rowid: -1 }, replacing), "a rowid must be positive");
  });

  it("cannot take the place of a pending row by its run and session", () => {
    const store = new GuardedStore(engine, insertIntent(validIntent()));
    const same = validIntent({ intent_id: intentId(2) });
    expectUnchanged(store, insertIntent(same, replacing), "there is a row with the same run_id and target_session_id");
  });

  it("cannot push a row out by an update", () => {
    const store = new GuardedStore(engine, insertIntent(validIntent()) + insertIntent(other));
    for (const column of ["rowid", "oid", "_rowid_"]) {
      expectUnchanged(store, updateIntent({ [column]: 2 }, "UPDATE OR REPLACE"), "the rowid cannot change");
    }
    expectUnchanged(store, updateIntent({ intent_id: intentId(2) }, "UPDATE OR REPLACE"), "intent_id cannot change");
    expectUnchanged(store, updateIntent({ run_id: "run-2" }, "UPDATE OR REPLACE"), "run_id cannot change");
  });

  it("cannot with recursive triggers either, nor with checks ignored", () => {
    const store = new GuardedStore(engine, insertIntent(validIntent()));
    const pragmas = "PRAGMA recursive_triggers = ON; PRAGMA ignore_check_constraints = ON;";
    expectUnchanged(store, pragmas + insertIntent(validIntent(), replacing), "intent_id: there is a row");
  });
});

describe.each(ENGINES)("rows that are older than the guards, through $name", (engine) => {
  const imperfect = validIntent({
    intent_id: INTENT_ID,
    source_event_id: "",
    requested_at: "2026-08-21 08:17:31",
    eligible_at: "2026-08-21T10:17:31+02:00",
    fallback_facts_json: "not JSON",
  });

  it("can still be claimed, released and resolved", () => {
    const store = GuardedStore.withOlderRows(engine, insertIntent(imperfect));
    store.must(updateIntent(CLAIMED));
    store.must(updateIntent(UNCLAIMED));
    store.must(updateIntent({ ...RESOLVED, ...UNCLAIMED }));
    expect(store.rows()).toMatchObject([{ ...imperfect, ...RESOLVED }]);
  });

  it("can be resolved when a lone claim token or a lone resolution was left in them", () => {
    const torn = { ...imperfect, delivery_claim_token: "token-0", resolution: "fallback" };
    const store = GuardedStore.withOlderRows(engine, insertIntent(torn));
    store.must(updateIntent({ ...RESOLVED, ...UNCLAIMED }));
  });

  it("are judged where they change", () => {
    const store = GuardedStore.withOlderRows(engine, insertIntent(imperfect));
    expect(store.refusal(updateIntent({ fallback_facts_json: "neither JSON" }))).toContain("must be a JSON object");
    expect(store.refusal(updateIntent({ fallback_facts_json: factsText() }))).toBeUndefined();
    expect(store.refusal(updateIntent({ source_event_id: "better" }))).toContain("source_event_id cannot change");
  });
});
