import { describe, expect, it } from "vitest";
import type { ControllerStore } from "../../../src/store/controllerStore.ts";
import type { ListTurnIntents, TurnIntentPage } from "../../../src/store/intents/listTurnIntents.ts";
import { BARE_TABLE, insertIntent, SCHEMA_INFO, sqlite3, text } from "../helpers/bareStore.ts";
import { draft, errorOf, type StoreWorld, storeWorld, temporaryFolder } from "../helpers/storeWorld.ts";

/** Four intents: one pending, one eligible, one eligible and claimed, one resolved. */
function worldOfAllStates(): StoreWorld {
  const world = storeWorld();
  const { store, clock } = world;
  const ensure = (runId: string, targetSessionId: string, eligible: boolean): void => {
    store.ensureWorkflowTurnIntent({ ...draft({ runId, targetSessionId }), eligible });
    clock.advance(1);
  };
  const claim = (runId: string, targetSessionId: string) =>
    store.claimWorkflowTurnIntentForRun({ runId, targetSessionId, claimToken: "a", leaseMs: 1000 });
  ensure("resolved", "session-1", false);
  ensure("claimed", "session-2", true);
  ensure("eligible", "session-1", true);
  ensure("pending", "session-1", false);
  claim("resolved", "session-1");
  claim("claimed", "session-2");
  const { intentId } = draft({ runId: "resolved" });
  store.resolveWorkflowTurnIntent({ intentId, claimToken: "a", resolution: "presentation", messageId: "m" });
  return world;
}

/** All pages of a listing, one after the other. */
function pages(store: ControllerStore, listing: ListTurnIntents): readonly TurnIntentPage[] {
  const page = store.listWorkflowTurnIntents(listing);
  return page.next === undefined ? [page] : [page, ...pages(store, { ...listing, after: page.next })];
}

const runsOf = (found: readonly TurnIntentPage[]): readonly string[] =>
  found.flatMap(({ intents }) => intents.map(({ runId }) => runId));

describe("a listing", () => {
  it.each<readonly [string, Omit<ListTurnIntents, "limit">, readonly string[]]>([
    ["everything, in the order of creation", {}, ["resolved", "claimed", "eligible", "pending"]],
    ["what is unresolved, by run", { state: "pending" }, ["claimed", "eligible", "pending"]],
    ["what is eligible, by session and time", { state: "eligible" }, ["eligible", "claimed"]],
    ["what is under a live claim", { state: "claimed" }, ["claimed"]],
    ["what is resolved", { state: "resolved" }, ["resolved"]],
    ["a session", { targetSessionId: "session-1" }, ["resolved", "eligible", "pending"]],
    ["what is eligible in a session", { targetSessionId: "session-1", state: "eligible" }, ["eligible"]],
    ["what is resolved in a session", { targetSessionId: "session-2", state: "resolved" }, []],
    ["a run", { runId: "eligible" }, ["eligible"]],
    ["a run in another session", { runId: "eligible", targetSessionId: "session-2" }, []],
    ["a run in another state", { runId: "eligible", state: "resolved" }, []],
  ])("has %s, on one page or on many", (_what, filters, expected) => {
    const { store } = worldOfAllStates();
    expect(runsOf([store.listWorkflowTurnIntents({ ...filters, limit: 100 })])).toEqual(expected);
    const single = pages(store, { ...filters, limit: 1 });
    expect(runsOf(single)).toEqual(expected);
    expect(single).toHaveLength(Math.max(1, expected.length));
  });

  it("counts a claim no longer when its lease is over", () => {
    const { store, clock } = worldOfAllStates();
    clock.advance(1000);
    expect(store.listWorkflowTurnIntents({ state: "claimed", limit: 1 }).intents).toEqual([]);
  });

  it("goes on where it stopped when rows came in between", () => {
    const { store } = worldOfAllStates();
    const first = store.listWorkflowTurnIntents({ limit: 2 });
    store.ensureWorkflowTurnIntent(draft({ runId: "late" }));
    expect(runsOf(pages(store, { limit: 2, after: first.next ?? "" }))).toEqual(["eligible", "pending", "late"]);
  });

  it.each([
    ["text that no page gave", () => "eyJ9"],
    ["the cursor of another listing", worldCursor({ state: "eligible", limit: 1 })],
  ])("refuses %s as a place to go on from", (_what, after) => {
    const { store } = worldOfAllStates();
    expect(errorOf(() => store.listWorkflowTurnIntents({ state: "pending", limit: 1, after: after() })).code).toBe(
      "INVALID_ARGUMENT",
    );
  });

  it("shows rows that cannot be read apart, without counting them against the limit", () => {
    const path = `${temporaryFolder()}/controller.sqlite`;
    const rows = [
      insertIntent(draft({ runId: "a" }), { fallback_facts_json: "'{}'" }),
      insertIntent(draft({ runId: "b" })),
      insertIntent(draft({ runId: "c" }), { intent_id: "NULL" }),
      insertIntent(draft({ runId: "d" })),
    ];
    sqlite3(path, SCHEMA_INFO + BARE_TABLE + rows.join(""));
    const { store } = storeWorld(path);
    const page = store.listWorkflowTurnIntents({ limit: 2 });
    expect(runsOf([page])).toEqual(["b", "d"]);
    expect(page.unreadable).toMatchObject([
      { rowid: 1, intentId: draft({ runId: "a" }).intentId },
      { rowid: 3, intentId: undefined, violations: [{ path: "/intent_id" }] },
    ]);
    expect(page.next).toBeUndefined();
  });

  it("gets past a page's worth of unreadable rows, blobs in their keys or not", () => {
    const path = `${temporaryFolder()}/controller.sqlite`;
    const eligible = { eligible_at: text("2026-08-20T00:00:00.000Z") };
    const broken = Array.from({ length: 150 }, (_, n) =>
      insertIntent(draft({ runId: `broken-${n}` }), {
        ...eligible,
        intent_id: n % 2 === 0 ? `x'${n.toString(16).padStart(2, "0")}'` : `'not-an-id-${n}'`,
      }),
    );
    sqlite3(
      path,
      SCHEMA_INFO +
        BARE_TABLE +
        broken.join("") +
        insertIntent(draft(), { eligible_at: text("2026-08-20T00:00:01.000Z") }),
    );
    const { store } = storeWorld(path);
    for (const filters of [
      {},
      { state: "eligible" },
      { state: "pending" },
      { targetSessionId: "session-1" },
    ] as const) {
      const found = pages(store, { ...filters, limit: 10 });
      expect(runsOf(found)).toEqual(["run-1"]);
      expect(found.flatMap(({ unreadable }) => unreadable)).toHaveLength(150);
      expect(Math.max(...found.map(({ unreadable }) => unreadable.length))).toBe(100);
    }
  });
});

describe("rows without an id", () => {
  it("are shown too, each once, on as many pages as it takes", () => {
    const path = `${temporaryFolder()}/controller.sqlite`;
    const at = (n: number): string => text(new Date(Date.UTC(2026, 7, 20) + n).toISOString());
    const nameless = Array.from({ length: 101 }, (_, n) =>
      insertIntent(draft({ runId: `nameless-${n}` }), { intent_id: "NULL", eligible_at: at(n) }),
    );
    sqlite3(path, SCHEMA_INFO + BARE_TABLE + nameless.join("") + insertIntent(draft(), { eligible_at: at(101) }));
    const found = pages(storeWorld(path).store, { state: "eligible", limit: 10 });
    expect(runsOf(found)).toEqual(["run-1"]);
    expect(found.map(({ unreadable }) => unreadable.length)).toEqual([100, 1]);
  });
});

function worldCursor(listing: ListTurnIntents): () => string {
  return () => worldOfAllStates().store.listWorkflowTurnIntents(listing).next ?? "";
}
