import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach } from "vitest";
import { draftTurnIntent, type TurnIntentDraft, type TurnIntentSource } from "../../../src/contracts/draft.ts";
import { DeferredTurnsError } from "../../../src/contracts/errors.ts";
import { sourceEventId } from "../../../src/contracts/identity.ts";
import type { ControllerStore } from "../../../src/store/controllerStore.ts";
import { type OpenControllerStoreOptions, openControllerStore } from "../../../src/store/openControllerStore.ts";
import type { StoreDiagnostic } from "../../../src/store/storeDiagnostics.ts";
import { VirtualClock } from "../../support/virtualClock.ts";

const disposals: (() => void)[] = [];
afterEach(() => {
  for (const dispose of disposals.splice(0).reverse()) dispose();
});

/** Does something when the test has ended. */
export function afterTest(dispose: () => void): void {
  disposals.push(dispose);
}

/** A folder of its own for a test, gone with it. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "deferred-turns-store-"));
  afterTest(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A store in a folder of its own, on a clock that the test moves. */
export interface StoreWorld {
  readonly path: string;
  readonly clock: VirtualClock;
  readonly store: ControllerStore;
  readonly diagnostics: StoreDiagnostic[];
  /** Opens the same file once more, as another process would. */
  open(options?: Partial<OpenControllerStoreOptions>): ControllerStore;
}

/** Opens a new store, or the one at `path`. */
export function storeWorld(path: string = join(temporaryFolder(), "controller.sqlite")): StoreWorld {
  const clock = new VirtualClock();
  const diagnostics: StoreDiagnostic[] = [];
  const open = (options: Partial<OpenControllerStoreOptions> = {}): ControllerStore => {
    const opened = openControllerStore({
      path,
      now: clock.now,
      onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
      ...options,
    });
    afterTest(() => opened.close());
    return opened;
  };
  return { path, clock, diagnostics, store: open(), open };
}

/** A connection of another program, closed after the test. */
export function plainConnection(path: string): Database.Database {
  const database = new Database(path);
  afterTest(() => database.close());
  return database;
}

/** The draft of an interruption of an attempt at a run's step. */
export function draft(changes: Partial<TurnIntentSource> = {}): TurnIntentDraft {
  const { runId = "run-1", nodeId = "step", attemptId = "attempt-1" } = changes;
  return draftTurnIntent({
    sourceEventId: sourceEventId({ kind: "attempt", runId, nodeId, attemptId }),
    targetSessionId: "session-1",
    runId,
    workflowRef: "autoimplement",
    nodeId,
    attemptId,
    cause: "agentCancelled",
    observedState: "running",
    reason: "the agent changed its mind",
    ...changes,
  });
}

/** The DeferredTurnsError that `work` throws; fails the test for anything else. */
export function errorOf(work: () => unknown): DeferredTurnsError {
  try {
    work();
  } catch (error) {
    if (error instanceof DeferredTurnsError) return error;
    throw error;
  }
  throw new Error("Nothing was thrown.");
}

/** A claim of `token` on the intent of run-1 and session-1, for a minute. */
export function runClaim(claimToken: string, leaseMs = 60_000) {
  return { runId: "run-1", targetSessionId: "session-1", claimToken, leaseMs } as const;
}
