import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { TRIGGERS } from "../../generated/ddl.ts";
import {
  decodeWorkflowNotification,
  decodeWorkflowTurnIntent,
  encodeWorkflowTurnIntent,
  WORKFLOW_TURN_INTENT_COLUMNS,
} from "../../generated/records.ts";
import { DDL } from "./support/engines.ts";
import { factsText, type IntentValues, insertIntent, RESOLVED, validFacts, validIntent } from "./support/intents.ts";

/** A row as SQLite returns it. */
function row(changes: IntentValues = {}): Record<string, unknown> {
  const nulls = Object.fromEntries(WORKFLOW_TURN_INTENT_COLUMNS.map((column) => [column, null]));
  return { ...nulls, ...validIntent(changes) };
}

function messagesFor(changes: IntentValues): readonly string[] {
  const decoded = decodeWorkflowTurnIntent(row(changes));
  return decoded.ok ? [] : decoded.violations.map(({ message }) => message);
}

describe("a row that keeps every rule", () => {
  it("becomes a record with its contract parsed, and the same row again", () => {
    const decoded = decodeWorkflowTurnIntent(row(RESOLVED));
    if (!decoded.ok) throw new Error(JSON.stringify(decoded.violations));
    expect(decoded.record).toMatchObject({
      intentId: row()["intent_id"],
      resolution: "fallback",
      deliveryClaimToken: null,
    });
    expect(decoded.record.fallbackFacts).toEqual(validFacts());
    expect(encodeWorkflowTurnIntent(decoded.record)).toEqual(row(RESOLVED));
  });

  it("may have columns of another program", () => {
    expect(decodeWorkflowTurnIntent({ ...row(), note: "x" })).toMatchObject({ ok: true });
  });

  it("is what the guards take", () => {
    const database = new Database(":memory:");
    database.exec(DDL + insertIntent(validIntent()));
    expect(decodeWorkflowTurnIntent(database.prepare("SELECT * FROM workflow_turn_intents").get())).toMatchObject({
      ok: true,
    });
  });
});

describe("a row that breaks a rule is refused with the column and the rule", () => {
  it.each<readonly [string, IntentValues]>([
    ["/cause must be one of", { cause: "outOfBudget" }],
    ["/run_id must be text of 1 to 512 characters", { run_id: "" }],
    ["/intent_id must be text of 78 characters", { intent_id: "deferred-turn:1" }],
    ["/requested_at must be a UTC time of the form", { requested_at: "2026-02-30T08:17:31.000Z" }],
    ["/requested_at must be a UTC time of the form", { requested_at: "2026-08-21T08:17:31+00:00" }],
    [
      "/fallback_facts_json/reason must not be given twice.",
      { fallback_facts_json: factsText().replace("{", '{"\\u0072eason":"x",') },
    ],
    [
      "/delivery_claim_expires_at must be a whole number",
      { delivery_claim_token: "t", delivery_claim_expires_at: 1.5 },
    ],
    ["/fallback_facts_json must be of type object.", { fallback_facts_json: "nothing" }],
    [
      "/fallback_facts_json/reason must have at most 8192",
      { fallback_facts_json: factsText({ reason: "x".repeat(8193) }) },
    ],
    [
      "/fallback_facts_json/runId must equal the column run_id.",
      { fallback_facts_json: factsText({ runId: "other" }) },
    ],
    ["/fallback_facts_json must be JSON text of at most 65536 bytes", { fallback_facts_json: " ".repeat(65537) }],
    ["The columns resolved_at, resolution, resolution_message_id must", { resolution: "fallback" }],
    [
      "The columns resolved_at, delivery_claim_token must not both",
      { ...RESOLVED, delivery_claim_token: "t", delivery_claim_expires_at: 1 },
    ],
  ])("%s", (sentence, changes) => {
    expect(messagesFor(changes)[0]).toContain(sentence);
  });

  it("also when a column is missing, or when it is no row", () => {
    const { run_id, ...rest } = row();
    expect(decodeWorkflowTurnIntent(rest)).toMatchObject({
      ok: false,
      violations: [{ path: "/run_id", rule: "type" }, {}],
    });
    expect(decodeWorkflowTurnIntent(undefined)).toMatchObject({ ok: false, violations: [{ path: "", rule: "type" }] });
  });

  it("also in a table without guards", () => {
    const notification = {
      notification_id: "n",
      run_id: "run-1",
      node_id: "draft",
      attempt_id: "attempt-1",
      notification_index: 1,
      target_session_id: "session-1",
      kind: "launch_failure",
      content: "",
      created_at: "2026-08-21T08:17:31.000Z",
      delivery_claim_token: null,
      delivery_claim_expires_at: null,
      delivered_at: null,
    };
    expect(decodeWorkflowNotification({ ...notification, kind: "final" })).toMatchObject({ ok: true });
    expect(decodeWorkflowNotification(notification)).toMatchObject({
      ok: false,
      violations: [{ path: "/kind", rule: "enum" }],
    });
  });
});

describe("the layout", () => {
  it("is kept by SQLite as it stands in ddl.ts, so that an outdated guard is seen", () => {
    const database = new Database(":memory:");
    database.exec(DDL);
    const stored = database.prepare<[], string>("SELECT sql FROM sqlite_schema WHERE type = 'trigger'").pluck().all();
    expect(stored).toEqual(TRIGGERS.map(({ sql }) => sql.replace("IF NOT EXISTS ", "")));
  });

  it("answers what is pending and what is eligible from its indexes", () => {
    const database = new Database(":memory:");
    database.exec(DDL);
    const plan = (where: string) =>
      database
        .prepare<[], { readonly detail: string }>(
          `EXPLAIN QUERY PLAN SELECT * FROM workflow_turn_intents WHERE ${where}`,
        )
        .all()
        .map(({ detail }) => detail);
    expect(plan("run_id = 'r' AND target_session_id = 's' AND resolved_at IS NULL")).toEqual([
      "SEARCH workflow_turn_intents USING INDEX workflow_turn_intents_one_pending_run (run_id=? AND target_session_id=?)",
    ]);
    expect(
      plan(
        "target_session_id = 's' AND resolved_at IS NULL AND eligible_at IS NOT NULL ORDER BY eligible_at, intent_id",
      ),
    ).toEqual([expect.stringMatching(/USING INDEX workflow_turn_intents_eligible/)]);
  });
});
