import type { RunEvent, WorkflowRun, WorkflowTurnIntent } from "../../generated/records.ts";
import { DeferredTurnsError } from "../contracts/errors.ts";
import type { StoreConnection } from "./database/connection.ts";
import { identifyStore, isSameStore, type StoreFiles, setAsideLog } from "./database/storeFile.ts";
import type { EnsuredTurnIntent, EnsureTurnIntent } from "./intents/ensureTurnIntent.ts";
import type { FindTurnIntentIds } from "./intents/findTurnIntents.ts";
import type { TurnIntentFollower } from "./intents/followTurnIntents.ts";
import type { ListTurnIntents, TurnIntentPage } from "./intents/listTurnIntents.ts";
import type {
  ClaimEligibleTurnIntents,
  ClaimedTurnIntent,
  ClaimTerms,
  ClaimTurnIntentForRun,
  ResolveOutcome,
  ResolveTurnIntent,
  RunIntentClaim,
} from "./intents/turnIntentClaims.ts";
import type { MakeTurnIntentEligible } from "./intents/turnIntentEligibility.ts";
import type { ListRunEvents, RunEventToRecord } from "./runs/runEvents.ts";
import type {
  ClaimWorkflowRun,
  EnqueuedWorkflowRun,
  EnqueueWorkflowRun,
  FencedChange,
  FinishWorkflowRun,
  ResumeOutcome,
  WorkflowRunClaim,
} from "./runs/runQueue.ts";
import type { ListWorkflowRuns } from "./runs/runRows.ts";
import type { StoreDiagnostic } from "./storeDiagnostics.ts";
import type { StoreParts } from "./storeParts.ts";

/** A store's open file and the operations on it; what an opening yields. */
export interface OpenStore extends StoreParts {
  readonly connection: StoreConnection;
  readonly files: StoreFiles;
  readonly findings: readonly StoreDiagnostic[];
}

/**
 * An open controller store. Get one from `openControllerStore`.
 *
 * Every operation is synchronous and atomic, waits for the locks of other processes no longer than the store's busy
 * timeout, and reads the clock when it holds the lock. Broken arguments throw; who loses a race gets an answer.
 *
 * Beside what each operation names, all of them throw a DeferredTurnsError: `INVALID_ARGUMENT` for an argument out of
 * its bounds, `STORE_BUSY` when another process holds the lock for too long, `STORE_READONLY` for a change of a store
 * that was opened to be read, and `STORE_FAILED` when SQLite fails otherwise or the store is closed.
 */
export class ControllerStore {
  /** The path of its file, as it was opened. */
  readonly path: string;
  readonly #openFile: () => OpenStore;
  #state: OpenStore | "closed" | "replaced";

  /** @internal Use `openControllerStore`. */
  constructor(path: string, openFile: () => OpenStore) {
    this.path = path;
    this.#openFile = openFile;
    this.#state = openFile();
  }

  /**
   * Stores the obligation of an interruption exactly once. A known id returns its row, resolved or not. So does an
   * attempt that has an intent already, and a run's second launch failure: they owe no second turn. An interruption
   * that finds an unresolved intent of its run and session is absorbed by it: the row keeps its cause, takes over the
   * observed state, the reason and the handoff unless a live claim holds it, and becomes eligible if that is wanted.
   * (The specification, sections Stable identity and Store operations.)
   *
   * @throws DeferredTurnsError `IDENTITY_CONFLICT` when the id is not the digest of the draft's parts, or is stored with
   * other immutable columns; `CONTRACT_VIOLATION` for a draft that breaks the contract; `CORRUPT_ROW` when the row that
   * stands for the interruption cannot be read
   */
  ensureWorkflowTurnIntent(intent: EnsureTurnIntent): EnsuredTurnIntent {
    return this.#open().ensurer.ensure(intent);
  }

  /**
   * The intent of an id, or undefined.
   *
   * @throws DeferredTurnsError `CORRUPT_ROW` when its row breaks the contract
   */
  getWorkflowTurnIntent(intentId: string): WorkflowTurnIntent | undefined {
    return this.#open().intents.get(intentId);
  }

  /**
   * Claims the pending intent of a run and session for a workflow prompt or a presentation, eligible or not. Claiming
   * again with the same token renews. Takes no lock when there is nothing to claim.
   */
  claimWorkflowTurnIntentForRun(claim: ClaimTurnIntentForRun): RunIntentClaim {
    return this.#open().claims.claimForRun(claim);
  }

  /**
   * Claims intents of a session for fallbacks: the oldest eligible first, then by id; only those that this call claims.
   * Takes no lock when there is nothing to claim.
   */
  claimEligibleWorkflowTurnIntentsForSession(claim: ClaimEligibleTurnIntents): readonly ClaimedTurnIntent[] {
    return this.#open().claims.claimEligible(claim);
  }

  /**
   * Opens a pending intent to a fallback, at its first call for good. Facts are replaced unless a live claim holds the
   * row. Returns whether the intent is pending, and thereby eligible now.
   *
   * @throws DeferredTurnsError `CONTRACT_VIOLATION` for facts that break the contract or tell of another row
   */
  makeWorkflowTurnIntentEligible(change: MakeTurnIntentEligible): boolean {
    return this.#open().eligibility.make(change);
  }

  /** Opens all pending intents of a run to a fallback, in all sessions. Returns how many became eligible. */
  makeRunTurnIntentsEligible(run: { readonly runId: string }): number {
    return this.#open().eligibility.makeForRun(run);
  }

  /**
   * Records that a message resolved an intent, under the live claim of the token; the claim ends with it. Repeating a
   * resolution that is recorded answers "resolved". Of an unknown intent nobody is the claimant.
   */
  resolveWorkflowTurnIntent(resolution: ResolveTurnIntent): ResolveOutcome {
    return this.#open().claims.resolve(resolution);
  }

  /** Gives a stored claim a new lease, even a lapsed one that nobody took. Returns whether the claim was still stored. */
  renewWorkflowTurnIntentClaim(claim: ClaimTerms & { readonly intentId: string }): boolean {
    return this.#open().claims.renew(claim);
  }

  /** Gives a claim back. Returns whether it was still stored. */
  releaseWorkflowTurnIntentClaim(claim: { readonly intentId: string; readonly claimToken: string }): boolean {
    return this.#open().claims.release(claim);
  }

  /**
   * A page of intents for diagnosis, in a fixed order: eligible ones by session, time and id, unless a run is named; other
   * unresolved ones by run and session, oldest first within both; the rest oldest first. Rows that cannot be read are
   * listed apart, and reported.
   */
  listWorkflowTurnIntents(listing: ListTurnIntents): TurnIntentPage {
    return this.#open().listing.list(listing);
  }

  /** The ids of intents that begin with a text, in their order. */
  findWorkflowTurnIntentIds(search: FindTurnIntentIds): readonly string[] {
    return this.#open().finder.find(search);
  }

  /** Begins to follow the intents for somebody who watches them; after `reopen`, begin anew. */
  followWorkflowTurnIntents(): TurnIntentFollower {
    return this.#open().follow();
  }

  /**
   * Queues a run, unless its session has an active one or its parent has a child.
   *
   * @throws DeferredTurnsError `CONTRACT_VIOLATION` for a run that breaks its contract
   */
  enqueueWorkflowRun(run: EnqueueWorkflowRun): EnqueuedWorkflowRun {
    return this.#open().runs.enqueue(run);
  }

  /**
   * The run of an id, or undefined.
   *
   * @throws DeferredTurnsError `CORRUPT_ROW` when its row breaks the contract
   */
  getWorkflowRun(runId: string): WorkflowRun | undefined {
    return this.#open().runs.get(runId);
  }

  /**
   * The run that is queued or at work in a session, of which there is at most one; undefined when there is none.
   *
   * @throws DeferredTurnsError `CORRUPT_ROW` when its row breaks the contract
   */
  getActiveWorkflowRun(originSessionId: string): WorkflowRun | undefined {
    return this.#open().runs.active(originSessionId);
  }

  /** Runs, the newest first. Rows that cannot be read are passed over and reported. */
  listWorkflowRuns(listing: ListWorkflowRuns): readonly WorkflowRun[] {
    return this.#open().runs.list(listing);
  }

  /**
   * Claims a run that is queued, or whose runner let its claim lapse; it is starting from then on. Such a takeover is
   * recorded as the run event `runTakenOver`. Claiming again with the same token renews.
   */
  claimWorkflowRun(claim: ClaimWorkflowRun): WorkflowRunClaim {
    return this.#open().runs.claim(claim);
  }

  /** Gives the claim on a run a new lease, even a lapsed one that nobody took. Returns whether the claim was still stored. */
  renewWorkflowRunClaim(claim: ClaimTerms & { readonly runId: string }): boolean {
    return this.#open().runs.renew(claim);
  }

  /** Records that the claimant executes the run. Returns whether the claim was still stored. */
  markWorkflowRunRunning(run: Required<FencedChange>): boolean {
    return this.#open().runs.markRunning(run);
  }

  /** Lets an active run wait without a runner. Returns whether it was active, and under this claim if one is given. */
  parkWorkflowRun(change: FencedChange): boolean {
    return this.#open().runs.park(change);
  }

  /** Ends a run. Returns whether it had not ended before, and was under this claim if one is given. */
  finishWorkflowRun(end: FinishWorkflowRun): boolean {
    return this.#open().runs.finish(end);
  }

  /**
   * Parks a run until an explicit resume and records `runHeld`: a person stopped it. Returns whether it is held now; a
   * run that has ended, is unknown, or is under another claim than the given one is not.
   */
  holdWorkflowRun(change: FencedChange): boolean {
    return this.#open().runs.hold(change);
  }

  /** Whether a run is parked because a person holds it. */
  isWorkflowRunHeld(runId: string): boolean {
    return this.#open().runs.isHeld(runId);
  }

  /** Queues a parked run again, held or not, and records `runResumed`. */
  resumeWorkflowRun(run: { readonly runId: string }): ResumeOutcome {
    return this.#open().runs.resume(run);
  }

  /** Adds an event to the history of a run. Returns its place in the order of all events. */
  recordRunEvent(event: RunEventToRecord): number {
    return this.#open().events.record(event);
  }

  /** The history of a run, oldest first. Rows that cannot be read are passed over and reported. */
  listRunEvents(listing: ListRunEvents): readonly RunEvent[] {
    return this.#open().events.list(listing);
  }

  /**
   * Runs synchronous work in one transaction that holds the write lock from its beginning: what the work does with the
   * store is stored as a whole or, when it throws, not at all. Inside another transaction it becomes a part of it, and
   * what throws undoes only its own part.
   */
  transaction<Result>(work: (store: ControllerStore) => Result): Result {
    return this.#open().connection.write(() => work(this));
  }

  /** What the last opening found that a person should be told; each is a diagnostic as well. */
  get findings(): readonly StoreDiagnostic[] {
    return typeof this.#state === "string" ? [] : this.#state.findings;
  }

  /**
   * Whether the file at the path, and the log beside it, are those that were opened. Files that were deleted or replaced
   * go on accepting writes that nobody will read: call `reopen`, and ensure again what is owed.
   */
  checkFile(): "same" | "replaced" {
    const state = this.#state;
    if (typeof state === "string") return "replaced";
    return isSameStore(state.files, identifyStore(this.path, state.files.real)) ? "same" : "replaced";
  }

  /**
   * Closes the file and opens the one that is at the path now, as `openControllerStore` would.
   *
   * @throws DeferredTurnsError what opening throws; until a later `reopen` succeeds, all operations throw `STORE_REPLACED`
   */
  reopen(): void {
    const before = this.#state;
    this.close();
    this.#state = "replaced";
    if (typeof before !== "string") setAsideLog(this.path, before.files);
    this.#state = this.#openFile();
  }

  /** Closes the file. Closing again does nothing. */
  close(): void {
    if (typeof this.#state !== "string") this.#state.connection.close();
    this.#state = "closed";
  }

  #open(): OpenStore {
    if (typeof this.#state !== "string") return this.#state;
    const isClosed = this.#state === "closed";
    throw new DeferredTurnsError({
      code: isClosed ? "STORE_FAILED" : "STORE_REPLACED",
      message: isClosed
        ? `The controller store ${this.path} was closed; open it again to use it.`
        : `The controller store ${this.path} was replaced and could not be opened again yet; reopen it.`,
    });
  }
}
