import { describe, expect, it } from "vitest";
import { BARE_TABLE, insertIntent, SCHEMA_INFO, sqlite3, text } from "../helpers/bareStore.ts";
import { eligibleClaim } from "../helpers/claims.ts";
import { draft, runClaim, storeWorld, temporaryFolder } from "../helpers/storeWorld.ts";

const intentId = draft().intentId;

describe("a claim for a session's fallbacks", () => {
  it("passes over a row that cannot be read, reports it once and never claims it", () => {
    const path = `${temporaryFolder()}/controller.sqlite`;
    const broken = draft({ runId: "broken" });
    const eligible = { eligible_at: text("2026-08-20T00:00:00.000Z") };
    sqlite3(
      path,
      SCHEMA_INFO +
        BARE_TABLE +
        insertIntent(broken, { ...eligible, fallback_facts_json: "'{}'" }) +
        insertIntent(draft(), { eligible_at: text("2026-08-20T00:00:01.000Z") }),
    );
    const { store, diagnostics } = storeWorld(path);
    for (const claimToken of ["a", "a", "a"]) {
      const claimed = store.claimEligibleWorkflowTurnIntentsForSession(eligibleClaim({ claimToken, limit: 1 }));
      expect(claimed.map(({ runId }) => runId)).toEqual(["run-1"]);
    }
    expect(store.claimWorkflowTurnIntentForRun({ ...runClaim("a"), runId: "broken" })).toEqual({ status: "none" });
    expect(diagnostics).toMatchObject([{ code: "CORRUPT_ROW", intentId: broken.intentId }]);
    expect(
      sqlite3(path, "SELECT delivery_claim_token IS NULL FROM workflow_turn_intents WHERE run_id = 'broken'"),
    ).toBe("1");
  });

  it.each(["another process", "who is told of such a row"])(
    "sees what %s does between its look and its lock",
    (who) => {
      const path = `${temporaryFolder()}/controller.sqlite`;
      const eligible = { eligible_at: text("2026-08-20T00:00:00.000Z") };
      const broken = insertIntent(draft({ runId: "broken" }), { ...eligible, fallback_facts_json: "'{}'" });
      sqlite3(path, SCHEMA_INFO + BARE_TABLE + broken + insertIntent(draft(), eligible));
      const { open } = storeWorld(path);
      const claimedMeanwhile: unknown[] = [];
      const store = open({
        onDiagnostic: () => {
          const rival = who === "another process" ? open({ onDiagnostic: () => undefined }) : store;
          claimedMeanwhile.push(
            ...rival.claimEligibleWorkflowTurnIntentsForSession(eligibleClaim({ claimToken: "b" })),
          );
        },
      });
      expect(store.claimEligibleWorkflowTurnIntentsForSession(eligibleClaim())).toEqual([]);
      expect(claimedMeanwhile).toMatchObject([{ intentId, deliveryClaimToken: "b" }]);
    },
  );

  it("sees what who is told of such a row changes while it looks again under its lock", () => {
    const path = `${temporaryFolder()}/controller.sqlite`;
    const eligible = { eligible_at: text("2026-08-20T00:00:00.000Z") };
    const broken = (runId: string): string =>
      insertIntent(draft({ runId }), { ...eligible, fallback_facts_json: "'{}'" });
    sqlite3(path, SCHEMA_INFO + BARE_TABLE + broken("broken-1") + insertIntent(draft(), eligible));
    const newer = { ...draft().fallbackFacts, reason: "newer" };
    const tasks = [
      () => sqlite3(path, `DROP TRIGGER workflow_turn_intents_guard_insert_fallback_facts_json; ${broken("broken-2")}`),
      () => store.makeWorkflowTurnIntentEligible({ intentId, fallbackFacts: newer }),
    ];
    const store = storeWorld(path).open({ onDiagnostic: () => void tasks.shift()?.() });
    const claimed = store.claimEligibleWorkflowTurnIntentsForSession(eligibleClaim());
    expect(claimed).toMatchObject([{ intentId, fallbackFacts: { reason: "newer" } }]);
    expect(tasks).toEqual([]);
  });

  it("leaves a claim alone that a clock ahead of ours made, and that comes to live between our look and our lock", () => {
    const { store, open, clock } = storeWorld();
    store.ensureWorkflowTurnIntent({ ...draft(), eligible: true });
    clock.advance(2);
    store.claimWorkflowTurnIntentForRun(runClaim("a", 600_000));
    clock.jump(-2);
    const times: number[] = [];
    const other = open({ now: () => times.shift() ?? clock.now() });
    times.push(clock.now(), clock.now() + 3);
    expect(other.claimEligibleWorkflowTurnIntentsForSession(eligibleClaim({ claimToken: "b" }))).toEqual([]);
    expect(times).toEqual([]);
  });

  it("lets who gets the report of such a row use the store", () => {
    const path = `${temporaryFolder()}/controller.sqlite`;
    const eligible = { eligible_at: text("2026-08-20T00:00:00.000Z"), fallback_facts_json: "'{}'" };
    sqlite3(
      path,
      SCHEMA_INFO + BARE_TABLE + insertIntent(draft({ runId: "broken" }), eligible) + insertIntent(draft()),
    );
    const seen: unknown[] = [];
    const store = storeWorld(path).open({
      onDiagnostic: () => seen.push(store.makeRunTurnIntentsEligible({ runId: "run-1" })),
    });
    store.claimEligibleWorkflowTurnIntentsForSession(eligibleClaim());
    expect(seen).toEqual([1]);
  });
});
