import { expect, it } from "vitest";
import { inspectStore } from "../../src/store/inspection/inspectStore.ts";
import { insertBroken, writeUnguarded } from "../hostile/support/brokenRows.ts";
import { emptyStore } from "../hostile/support/stores.ts";
import { sqlite3, text } from "./helpers/bareStore.ts";
import { draft, errorOf, storeWorld } from "./helpers/storeWorld.ts";

const { intentId } = draft({ runId: "bad" });

/** What is said of a row whose cause is none, and the store that has it. */
function unreadable(): { readonly path: string; readonly said: string } {
  const path = emptyStore();
  writeUnguarded(path, insertBroken("bad", { cause: text("bored") }));
  const { store } = storeWorld(path);
  const said = errorOf(() => store.getWorkflowTurnIntent(intentId)).message;
  store.close();
  return { path, said };
}

it("an unreadable row's sentence says once where and what is wrong", () => {
  expect(unreadable().said).toMatch(
    / breaks its contract: \/cause must be one of [^/:;]+\. \/fallback_facts_json\/cause [^/:;]+\. Stop the Pi sessions, /,
  );
});

it.each([
  { change: "UPDATE workflow_turn_intents SET cause = 'agentCancelled';", guard: "guard_update_identity" },
  { change: "DELETE FROM workflow_turn_intents;", guard: "guard_delete" },
])("its advice can be followed: $change", ({ change, guard }) => {
  const { path, said } = unreadable();
  expect(said).toContain("first drop the triggers whose names begin with workflow_turn_intents_guard");
  expect(() => sqlite3(path, change)).toThrow();
  sqlite3(path, `DROP TRIGGER workflow_turn_intents_${guard}; ${change}`);
  storeWorld(path).store.close();
  expect(inspectStore({ path, busyTimeoutMs: 1000, now: 0 })).toMatchObject({ unreadable: [], partFlaws: [] });
});
