import { readFileSync, rmSync, writeFileSync } from "node:fs";
import Database from "better-sqlite3";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ControllerStore } from "../../src/store/controllerStore.ts";
import { openControllerStore } from "../../src/store/openControllerStore.ts";
import { draft, errorOf } from "../store/helpers/storeWorld.ts";
import { filledStore, outcomeOf, PER_SESSION, SESSIONS, withStore } from "./support/stores.ts";

/** How many damaged files are tried; more with HOSTILE_DAMAGES. */
const DAMAGES = Number(process.env["HOSTILE_DAMAGES"] ?? 200);

type Damage =
  | { readonly kind: "bit"; readonly at: number; readonly bit: number }
  | { readonly kind: "page"; readonly at: number; readonly byte: number }
  | { readonly kind: "cut"; readonly at: number };

/** A place in the file, as a share of its length; all are equally likely. */
const place = fc.noBias(fc.integer({ min: 0, max: 999_999 })).map((millionths) => millionths / 1_000_000);
const damage: fc.Arbitrary<Damage> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("bit"), at: place, bit: fc.integer({ min: 0, max: 7 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("page"), at: place, byte: fc.constantFrom(0, 0xff) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("cut"), at: place }) },
);

const PAGE = 4096;

function damaged(bytes: Buffer, { kind, at, ...how }: Damage): Buffer {
  const offset = Math.floor(at * bytes.length);
  const copy = Buffer.from(bytes);
  // An empty file is what a new store begins as, and SQLite takes one byte for none.
  if (kind === "cut") return copy.subarray(0, Math.max(2, offset));
  if ("byte" in how) copy.fill(how.byte, offset - (offset % PAGE), offset - (offset % PAGE) + PAGE);
  else if ("bit" in how) copy[offset] = (copy[offset] ?? 0) ^ (1 << how.bit);
  return copy;
}

/** Everything that a session or the command does with a store. */
const OPERATIONS: readonly ((store: ControllerStore) => unknown)[] = [
  (store) => store.getWorkflowTurnIntent(draft({ runId: "session-1-run-3" }).intentId),
  (store) => store.getWorkflowRun("session-1-run-3"),
  (store) => store.listWorkflowRuns({ limit: 100 }),
  (store) => store.listRunEvents({ runId: "session-2-run-1", limit: 100 }),
  (store) => store.claimWorkflowRun({ runId: "session-1-run-3", runnerId: "runner", claimToken: "a", leaseMs: 1000 }),
  (store) => store.ensureWorkflowTurnIntent(draft({ runId: "new" })),
  (store) => store.makeRunTurnIntentsEligible({ runId: "session-3-run-1" }),
  (store) =>
    store.claimWorkflowTurnIntentForRun({
      runId: "session-1-run-3",
      targetSessionId: "session-1",
      claimToken: "a",
      leaseMs: 1000,
    }),
  (store) => store.recordRunEvent({ runId: "new", workflowRef: "w", type: "t", payload: {} }),
];

/** How many intents the sessions' passes find, those included that are found to be unreadable. */
function found(store: ControllerStore): number {
  const pages = SESSIONS.map((targetSessionId) =>
    store.listWorkflowTurnIntents({ targetSessionId, state: "eligible", limit: 100 }),
  );
  return pages.reduce((sum, { intents, unreadable }) => sum + intents.length + unreadable.length, 0);
}

describe("a store's file with damage in it", () => {
  it(`fails with a named error, or loses no intent and does all it should (${DAMAGES} damages)`, {
    timeout: 60_000 + DAMAGES * 200,
  }, () => {
    const path = filledStore();
    const bytes = readFileSync(path);
    const counts = { refused: 0, used: 0 };
    fc.assert(
      fc.property(damage, (what) => {
        for (const ending of ["-wal", "-shm", "-journal"]) rmSync(path + ending, { force: true });
        writeFileSync(path, damaged(bytes, what));
        const outcome = outcomeOf(() => withStore(path, tryEverything));
        counts[outcome === "done" ? "used" : "refused"] += 1;
      }),
      { numRuns: DAMAGES, seed: 1 },
    );
    expect(counts.refused).toBeGreaterThan(DAMAGES / 5);
    expect(counts.used).toBeGreaterThan(DAMAGES / 20);
  });

  it("is told with what to do", () => {
    const path = filledStore();
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.subarray(0, bytes.length - PAGE));
    const { code, message } = errorOf(() => openControllerStore({ path }));
    expect([code, message]).toEqual(["STORE_FAILED", expect.stringContaining("is damaged")]);
    expect(message).toContain(`sqlite3 '${path}' .recover | sqlite3 '${path}.recovered'`);
    expect(readFileSync(path)).toHaveLength(bytes.length - PAGE);
  });

  it("is refused when an index has lost a row, which no query would notice", () => {
    const path = filledStore();
    loseIndexEntry(path);
    const { code, message } = errorOf(() => openControllerStore({ path }));
    expect([code, message]).toEqual([
      "STORE_FAILED",
      expect.stringContaining("missing from index workflow_turn_intents_eligible"),
    ]);
    expect(errorOf(() => openControllerStore({ path, readonly: true })).code).toBe("STORE_FAILED");
  });
});

describe("a log with damage in it", () => {
  it.each(["bit", "cut"] as const)("(%s) leaves a store that works with what can still be read", (kind) => {
    const path = filledStore();
    const store = openControllerStore({ path });
    for (let n = 0; n < 5; n += 1) store.ensureWorkflowTurnIntent(draft({ runId: `late-${n}` }));
    const [file, log] = [readFileSync(path), readFileSync(`${path}-wal`)];
    store.close();
    for (const at of [0.001, 0.01, 0.2, 0.5, 0.9]) {
      rmSync(`${path}-shm`, { force: true });
      writeFileSync(path, file);
      writeFileSync(`${path}-wal`, damaged(log, kind === "bit" ? { kind, at, bit: 3 } : { kind, at }));
      expect(withStore(path, found)).toBe(SESSIONS.length * PER_SESSION);
      expect(outcomeOf(() => withStore(path, tryEverything))).toBe("done");
    }
  });
});

function tryEverything(store: ControllerStore): void {
  expect(found(store)).toBe(SESSIONS.length * PER_SESSION);
  // One transaction, so that the disk is waited for once.
  const outcomes = store.transaction(() => OPERATIONS.map((operation) => outcomeOf(() => operation(store))));
  expect(outcomes.filter((outcome) => !["done", "CORRUPT_ROW", "STORE_FAILED"].includes(outcome))).toEqual([]);
}

/** Takes a row out of the index of eligible intents alone, as a write that was lost does. */
function loseIndexEntry(path: string): void {
  const database = new Database(path);
  database.unsafeMode();
  const index = "workflow_turn_intents_eligible";
  const narrow = (from: string, to: string): void => {
    database.pragma("writable_schema = ON");
    database.prepare("UPDATE sqlite_schema SET sql = replace(sql, ?, ?) WHERE name = ?").run(from, to, index);
    database.pragma("writable_schema = RESET");
  };
  narrow('"eligible_at" IS NOT NULL', "\"run_id\" <> 'session-1-run-3'");
  database.exec(`REINDEX ${index}`);
  narrow("\"run_id\" <> 'session-1-run-3'", '"eligible_at" IS NOT NULL');
  database.close();
}
