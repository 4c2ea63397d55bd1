import { join } from "node:path";
import type { WorkflowTurnIntentRow } from "../../generated/records.ts";
import type { ControllerStore } from "../../src/store/controllerStore.ts";
import { openControllerStore } from "../../src/store/openControllerStore.ts";
import { atMost, type Comparison, type Row, type Side } from "../src/row.ts";
import { timedAfter } from "../src/timing.ts";
import { bareStatements, createBare } from "../src/worlds/bareStore.ts";
import { newDraft, rowOf, SESSION } from "../src/worlds/intents.ts";

const OPERATIONS = 30;
const CLAIM = { claimToken: "0b8f1c52-4a55-4f0a-9a0c-3b1d2e4f5a6b", leaseMs: 30_000 };

/** How each kind of delivery claims; both resolve the same way. */
const CLAIMS = {
  "of a run": (store: ControllerStore, runId: string) =>
    store.claimWorkflowTurnIntentForRun({ ...CLAIM, runId, targetSessionId: SESSION }),
  "of the eligible": (store: ControllerStore) =>
    store.claimEligibleWorkflowTurnIntentsForSession({ ...CLAIM, targetSessionId: SESSION, limit: 1 }),
};

export const row: Row = {
  what: "claim and resolve of one intent",
  against: "two bare prepared UPDATEs: same tables, indexes, guards and settings",
  prepare: (folder) => {
    const store = openControllerStore({ path: join(folder, "store.sqlite") });
    const database = createBare(join(folder, "bare.sqlite"));
    const { insert, claim, resolve } = bareStatements(database);
    const baseline = timedAfter(OPERATIONS, {
      ready: () => {
        const intent = rowOf(newDraft(), { eligibleAt: "2026-08-21T08:17:31.000Z" });
        insert.run(intent);
        return intent;
      },
      work: ({ intent_id: intentId }: WorkflowTurnIntentRow) => {
        claim.run({ token: CLAIM.claimToken, expiresAt: Date.now() + CLAIM.leaseMs, intentId });
        resolve.run({ at: new Date().toISOString(), messageId: `${intentId}:fallback`, intentId });
      },
    });
    const comparisons = Object.entries(CLAIMS).map(([name, claimIt]): Comparison => {
      const measured: Side = timedAfter(OPERATIONS, {
        ready: () => {
          const draft = newDraft();
          store.ensureWorkflowTurnIntent({ ...draft, eligible: true });
          return draft;
        },
        work: ({ intentId, runId }) => {
          claimIt(store, runId);
          const messageId = `${intentId}:fallback`;
          store.resolveWorkflowTurnIntent({
            intentId,
            claimToken: CLAIM.claimToken,
            resolution: "fallback",
            messageId,
          });
        },
      });
      return { name, bar: atMost(1.3), unit: "ns", figure: "ratio", operations: OPERATIONS, measured, baseline };
    });
    return {
      comparisons,
      close: () => {
        store.close();
        database.close();
      },
    };
  },
};
