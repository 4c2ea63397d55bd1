import type { ControllerStore } from "../../../../src/store/controllerStore.ts";
import { codeOf } from "../../../../src/turns/diagnostics.ts";
import { draftOf, INTENT_IDS, queuedRun } from "../runs.ts";
import { LEASE_MS, SESSION_ID } from "../smallProcess.ts";
import type { IntentRow, WorldFiles } from "../worldFiles.ts";
import type { Violation } from "./violation.ts";

/** The store as a law asks it: whatever the law does is undone. */
interface Laboratory {
  readonly store: ControllerStore;
  readonly files: WorldFiles;
  /** The intents before the law did anything. */
  readonly rows: readonly IntentRow[];
}

/** Ends a law's transaction without a trace. */
class Undone extends Error {}

const TOKEN = "laboratory";

const A_RUN = queuedRun("run-4");

const A_YEAR_MS = 365 * 24 * 3_600_000;

/** What the store must answer in whatever state it is: the operations that the binding uses in one way only. */
const LAWS: Readonly<Record<string, (laboratory: Laboratory) => boolean>> = {
  "a claim takes the oldest eligible intents of its session, as many as asked": (laboratory) =>
    [1, 2, 3].every((limit) => takesTheOldest(laboratory, limit)),
  "a live claim of another is respected": ({ store, rows, files }) =>
    rows.filter(isOpen).every((row) => {
      const claim = store.claimWorkflowTurnIntentForRun({
        runId: row.run_id,
        targetSessionId: row.target_session_id,
        claimToken: TOKEN,
        leaseMs: LEASE_MS,
      });
      return claim.status === (isLive(row, files.now) ? "claimedByOther" : "claimed");
    }),
  "only the claimant renews, releases and resolves": (laboratory) =>
    claimed(laboratory).every(({ intent_id: intentId }) => {
      const { store } = laboratory;
      const stranger = { intentId, claimToken: "stranger" };
      return (
        !store.renewWorkflowTurnIntentClaim({ ...stranger, leaseMs: LEASE_MS }) &&
        !store.releaseWorkflowTurnIntentClaim(stranger) &&
        store.resolveWorkflowTurnIntent({ ...stranger, resolution: "fallback", messageId: "m" }) === "notClaimant"
      );
    }),
  "a lapsed claim resolves nothing": (laboratory) =>
    claimed(laboratory).every(({ intent_id: intentId }) =>
      later(laboratory.files, () => {
        const claim = { intentId, claimToken: TOKEN, resolution: "fallback", messageId: "m" } as const;
        return laboratory.store.resolveWorkflowTurnIntent(claim) === "lapsed";
      }),
    ),
  "a claim made before the clock stepped back has lapsed": (laboratory) => {
    const [row] = claimed(laboratory);
    const { files, store } = laboratory;
    if (row === undefined) return true;
    const terms = { runId: row.run_id, targetSessionId: row.target_session_id, claimToken: "later", leaseMs: LEASE_MS };
    return at(files, files.now - A_YEAR_MS, () => store.claimWorkflowTurnIntentForRun(terms).status === "claimed");
  },
  "an intent becomes eligible once": ({ store, rows, files }) =>
    rows.filter(isOpen).every(({ intent_id: intentId, eligible_at }) =>
      later(files, () => {
        store.makeWorkflowTurnIntentEligible({ intentId });
        const now = store.getWorkflowTurnIntent(intentId)?.eligibleAt;
        return eligible_at === null ? now != null : now === eligible_at;
      }),
    ),
  "facts do not change under a live claim": (laboratory) =>
    claimed(laboratory).every(({ intent_id: intentId }) => {
      const { store } = laboratory;
      const before = store.getWorkflowTurnIntent(intentId)?.fallbackFacts;
      if (before === undefined) return false;
      store.makeWorkflowTurnIntentEligible({ intentId, fallbackFacts: { ...before, reason: "another" } });
      return store.getWorkflowTurnIntent(intentId)?.fallbackFacts.reason === before.reason;
    }),
  "one source event has one intent, whatever its retry is called": ({ store }) => {
    const count = (): number => store.listWorkflowTurnIntents({ limit: 100 }).intents.length;
    store.ensureWorkflowTurnIntent(draftOf("first"));
    const before = count();
    store.ensureWorkflowTurnIntent(draftOf("first", { observedState: "failed" }));
    store.ensureWorkflowTurnIntent(draftOf("first", { cause: "failed" }));
    store.ensureWorkflowTurnIntent(draftOf("first", { sourceEventId: "another-event" }));
    return count() === before;
  },
  "an id with other immutable columns is refused": ({ store }) => {
    store.ensureWorkflowTurnIntent(draftOf("first"));
    const other = { ...draftOf("first"), workflowRef: "another" };
    return codeThrown(() => store.ensureWorkflowTurnIntent(other)) === "IDENTITY_CONFLICT";
  },
  "the next attempt joins an open intent, and is owed a turn of its own after a delivered one": ({ store, rows }) => {
    const next = draftOf("first", { attemptId: "attempt-9" });
    const open = rows.find((row) => row.intent_id === INTENT_IDS.first && isOpen(row));
    if (open === undefined) return store.ensureWorkflowTurnIntent(next).outcome === "created";
    const joins = undone(store, () => store.ensureWorkflowTurnIntent(next).outcome === "absorbed");
    const findDelivered = () => ({ resolution: "fallback", messageId: "m" }) as const;
    const after = store.ensureWorkflowTurnIntent({ ...next, findDelivered });
    return joins && after.outcome === "created" && store.getWorkflowTurnIntent(open.intent_id)?.resolvedAt != null;
  },
  "a run whose claim is live is taken by nobody": ({ store }) => {
    const claim = (claimToken: string): string =>
      store.claimWorkflowRun({ runId: A_RUN.runId, runnerId: claimToken, claimToken, leaseMs: LEASE_MS }).status;
    store.enqueueWorkflowRun(A_RUN);
    return claim("owner") === "claimed" && claim("stranger") === "claimedByOther";
  },
  "a run ends once": ({ store }) => {
    const { runId } = A_RUN;
    store.enqueueWorkflowRun(A_RUN);
    const ends = store.finishWorkflowRun({ runId, status: "cancelled" });
    const again = store.finishWorkflowRun({ runId, status: "failed" });
    return ends && !again && store.getWorkflowRun(runId)?.status === "cancelled";
  },
  "a node called launch is no launch": ({ store }) => {
    const attempt = (attemptId: string) => draftOf("first", { runId: "run-3", nodeId: "launch", attemptId });
    const findDelivered = () => ({ resolution: "fallback", messageId: "m" }) as const;
    store.ensureWorkflowTurnIntent(attempt("attempt-1"));
    return store.ensureWorkflowTurnIntent({ ...attempt("attempt-2"), findDelivered }).outcome === "created";
  },
};

/** What another program might write, against the contract: the database itself refuses it. */
const FORBIDDEN: Readonly<Record<string, string>> = {
  "a resolution without its message":
    "SET resolved_at = requested_at, resolution = 'fallback' WHERE resolved_at IS NULL",
  "an unknown resolution":
    "SET resolved_at = requested_at, resolution = 'other', resolution_message_id = 'm' WHERE resolved_at IS NULL",
  "a claim without its end":
    "SET delivery_claim_token = 't', delivery_claim_expires_at = NULL WHERE resolved_at IS NULL",
  "a time in another form": "SET eligible_at = '2026-08-21 08:17:31' WHERE eligible_at IS NULL AND resolved_at IS NULL",
  "an eligibility taken back": "SET eligible_at = NULL WHERE eligible_at IS NOT NULL",
  "another run": "SET run_id = 'other'",
  "facts that are none": "SET fallback_facts_json = '{}' WHERE resolved_at IS NULL",
  "a second resolution": "SET resolution_message_id = 'other' WHERE resolved_at IS NOT NULL",
};

/** The laws that the store breaks in the state it is in. */
export function brokenStoreLaws(files: WorldFiles): readonly Violation[] {
  const [rows, store] = [files.rows(), files.store("C")];
  const laws = Object.entries(LAWS).filter(([, holds]) => !undone(store, () => holds({ store, files, rows })));
  const written = Object.entries(FORBIDDEN).filter(([, change]) =>
    files.accepts(`UPDATE workflow_turn_intents ${change}`),
  );
  return [
    ...laws.map(([rule]) => ({ rule, at: "the store" })),
    ...written.map(([what]) => ({ rule: "the database refuses what the contract refuses", at: what })),
  ];
}

function undone(store: ControllerStore, work: () => boolean): boolean {
  let holds = false;
  try {
    store.transaction(() => {
      holds = work();
      throw new Undone();
    });
  } catch (error) {
    // A law that ends in an error does not hold.
    if (!(error instanceof Undone)) return false;
  }
  return holds;
}

function takesTheOldest({ store, files, rows }: Laboratory, limit: number): boolean {
  const claim = { targetSessionId: SESSION_ID, claimToken: TOKEN, leaseMs: LEASE_MS, limit };
  const expected = rows
    .filter((row) => isOpen(row) && row.eligible_at !== null && row.target_session_id === SESSION_ID)
    .filter((row) => !isLive(row, files.now))
    .sort((a, b) => compare(a.eligible_at ?? "", b.eligible_at ?? "") || compare(a.intent_id, b.intent_id))
    .slice(0, limit)
    .map(({ intent_id }) => intent_id);
  return undone(store, () => {
    const taken = store.claimEligibleWorkflowTurnIntentsForSession(claim);
    const isTaken = taken.every(({ deliveryClaimToken }) => deliveryClaimToken === TOKEN);
    return isTaken && JSON.stringify(taken.map(({ intentId }) => intentId)) === JSON.stringify(expected);
  });
}

/** The open intents that no other claim holds, under a claim of the laboratory. */
function claimed({ store, files, rows }: Laboratory): readonly IntentRow[] {
  const free = rows.filter((row) => isOpen(row) && !isLive(row, files.now));
  for (const { run_id: runId, target_session_id: targetSessionId } of free) {
    store.claimWorkflowTurnIntentForRun({ runId, targetSessionId, claimToken: TOKEN, leaseMs: LEASE_MS });
  }
  return free;
}

function later<Result>(files: WorldFiles, work: () => Result): Result {
  return at(files, files.now + LEASE_MS, work);
}

function at<Result>(files: WorldFiles, time: number, work: () => Result): Result {
  const { now } = files;
  files.now = time;
  try {
    return work();
  } finally {
    files.now = now;
  }
}

function codeThrown(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return codeOf(error);
  }
}

function isOpen(row: IntentRow): boolean {
  return row.resolved_at === null;
}

function isLive(row: IntentRow, now: number): boolean {
  return row.delivery_claim_expires_at !== null && row.delivery_claim_expires_at > now;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
