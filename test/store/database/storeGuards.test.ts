import { beforeEach, describe, expect, it } from "vitest";
import { BARE_TABLE, insertIntent, SCHEMA_INFO, sqlite3, text } from "../helpers/bareStore.ts";
import { draft, storeWorld, temporaryFolder } from "../helpers/storeWorld.ts";

const pending = draft();
const resolved = draft({ runId: "resolved" });
const where = (intentId: string): string => `WHERE intent_id = ${text(intentId)};`;
const at = text("2026-08-21T09:00:00.000Z");

/** Another program, the sqlite3 command, at a store that had the bare columns before it was opened here. */
describe("a joined store refuses another program", () => {
  let path = "";

  beforeEach(() => {
    path = `${temporaryFolder()}/controller.sqlite`;
    const resolution = { resolved_at: at, resolution: text("fallback"), resolution_message_id: text("m") };
    sqlite3(
      path,
      SCHEMA_INFO + BARE_TABLE + insertIntent(pending, { eligible_at: at }) + insertIntent(resolved, resolution),
    );
    storeWorld(path);
  });

  const update = (set: string, intent = pending): string =>
    `UPDATE workflow_turn_intents SET ${set} ${where(intent.intentId)}`;
  const facts = (change: object): string => text(JSON.stringify({ ...pending.fallbackFacts, ...change }));

  it.each([
    ["a second resolution", update("resolution = 'presentation'", resolved)],
    ["a change of a source column", update("workflow_ref = 'another'")],
    ["an eligibility taken back", update("eligible_at = NULL")],
    ["an eligibility moved", update("eligible_at = '2026-08-21T10:00:00.000Z'")],
    ["facts with an unknown field", update(`fallback_facts_json = ${facts({ extra: 1 })}`)],
    ["facts of another run", update(`fallback_facts_json = ${facts({ runId: "run-2" })}`)],
    ["a reason of 8,193 characters", update(`fallback_facts_json = ${facts({ reason: "😀".repeat(8193) })}`)],
    ["a lone resolution field", update("resolution = 'fallback'")],
    ["half a claim", update("delivery_claim_token = 'a'")],
    ["a claim on a resolved row", update("delivery_claim_token = 'a', delivery_claim_expires_at = 1", resolved)],
    [
      "a timestamp with an offset",
      update("resolved_at = '2026-08-21T10:00:00.000+02:00', resolution = 'fallback', resolution_message_id = 'm'"),
    ],
    ["a resolved row replaced", insertIntent(resolved).replace("INSERT", "INSERT OR REPLACE")],
    ["a second unresolved row of a run and session", insertIntent(draft({ attemptId: "attempt-2" }))],
    ["an unknown cause", insertIntent(draft({ runId: "run-2" }), { cause: text("bored") })],
    ["a row deleted", `DELETE FROM workflow_turn_intents ${where(resolved.intentId)}`],
  ])("%s", (_what, sql) => {
    expect(() => sqlite3(path, sql)).toThrow(/workflow_turn_intents/);
  });

  it.each([
    [
      "a claim and a resolution",
      `${update("delivery_claim_token = 'a', delivery_claim_expires_at = 1")} ${update(`resolved_at = ${at}, resolution = 'fallback', resolution_message_id = 'm', delivery_claim_token = NULL, delivery_claim_expires_at = NULL`)}`,
    ],
    ["a reason of 8,192 four-byte characters", update(`fallback_facts_json = ${facts({ reason: "😀".repeat(8192) })}`)],
    ["a new obligation", insertIntent(draft({ runId: "run-2" }))],
  ])("but not %s", (_what, sql) => {
    expect(() => sqlite3(path, sql)).not.toThrow();
    expect(storeWorld(path).store.listWorkflowTurnIntents({ limit: 10 }).unreadable).toEqual([]);
  });
});

describe("an old imperfect row", () => {
  it("can still be resolved", () => {
    const path = `${temporaryFolder()}/controller.sqlite`;
    sqlite3(
      path,
      SCHEMA_INFO + BARE_TABLE + insertIntent(pending, { requested_at: text("2026-08-21T10:00:00+02:00") }),
    );
    const { store } = storeWorld(path);
    const { intentId } = pending;
    sqlite3(
      path,
      `UPDATE workflow_turn_intents SET delivery_claim_token = 'a', delivery_claim_expires_at = ${Date.parse("2026-08-21T08:20:00.000Z")} ${where(intentId)}`,
    );
    const outcome = store.resolveWorkflowTurnIntent({
      intentId,
      claimToken: "a",
      resolution: "fallback",
      messageId: "m",
    });
    expect(outcome).toBe("resolved");
  });
});
