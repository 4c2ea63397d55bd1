import Database from "better-sqlite3";
import {
  decodeWorkflowRun,
  decodeWorkflowTurnIntent,
  type WorkflowRun,
  type WorkflowRunRow,
  type WorkflowTurnIntent,
  type WorkflowTurnIntentRow,
} from "../../../generated/records.ts";

/** What the database holds at one moment, and what about it no reader could read. */
export interface DatabaseState {
  readonly intents: ReadonlyMap<string, WorkflowTurnIntent>;
  readonly runs: ReadonlyMap<string, WorkflowRun>;
  /** The runs that a person holds: their last event of hold or resume is a hold. */
  readonly held: ReadonlySet<string>;
  readonly unreadable: readonly string[];
}

const NOTHING: DatabaseState = { intents: new Map(), runs: new Map(), held: new Set(), unreadable: [] };

const HELD = `SELECT run_id FROM workflow_run_queue AS run WHERE run.rowid > :after AND status = 'parked' AND 'runHeld' = (
  SELECT type FROM run_events WHERE run_id = run.run_id AND type IN ('runHeld', 'runResumed') ORDER BY seq DESC LIMIT 1)`;

/** Who did the step that was under way when the run was taken over last; null where none was. */
const TAKEN_FROM = `SELECT CASE type WHEN 'stepStarted' THEN json_extract(payload_json, '$.by') END FROM run_events
  WHERE run_id = :runId AND type IN ('stepStarted', 'stepTimedOut', 'stepCompleted', 'questionAsked')
  AND seq < (SELECT max(seq) FROM run_events WHERE run_id = :runId AND type = 'runTakenOver') ORDER BY seq DESC LIMIT 1`;

/** Looks at a store's database from outside, without the store's code. */
export class DatabaseView {
  state: DatabaseState = NOTHING;
  readonly #database: Database.Database;
  readonly #version: Database.Statement<[], number>;
  readonly #intents: Database.Statement<[{ after: number }], WorkflowTurnIntentRow>;
  readonly #runs: Database.Statement<[{ after: number }], WorkflowRunRow>;
  readonly #held: Database.Statement<[{ after: number }], string>;
  readonly #takenFrom: Database.Statement<[{ runId: string }], string | null>;
  readonly #lastTakeover: Database.Statement<[{ runId: string }], number>;
  #intentsBefore = 0;
  #runsBefore = 0;
  #seen: number | undefined;

  constructor(path: string) {
    this.#database = new Database(path, { fileMustExist: true, timeout: 0 });
    this.#version = this.#database.prepare<[], number>("PRAGMA data_version").pluck();
    this.#intents = this.#database.prepare("SELECT * FROM workflow_turn_intents WHERE rowid > :after ORDER BY rowid");
    this.#runs = this.#database.prepare("SELECT * FROM workflow_run_queue WHERE rowid > :after ORDER BY rowid");
    this.#lastTakeover = this.#database
      .prepare<[{ runId: string }], number>(
        "SELECT max(seq) FROM run_events WHERE run_id = :runId AND type = 'runTakenOver'",
      )
      .pluck();
    this.#takenFrom = this.#database.prepare<[{ runId: string }], string | null>(TAKEN_FROM).pluck();
    this.#held = this.#database.prepare<[{ after: number }], string>(HELD).pluck();
  }

  /** Looks from now on only at the rows that are still to come. */
  begin(): void {
    const last = (table: string): number =>
      this.#database.prepare<[], number>(`SELECT coalesce(max(rowid), 0) FROM ${table}`).pluck().get() ?? 0;
    this.#intentsBefore = last("workflow_turn_intents");
    this.#runsBefore = last("workflow_run_queue");
    this.state = NOTHING;
    this.#seen = undefined;
  }

  /** Reads what others committed since the last look. Returns whether there was anything. */
  refresh(): boolean {
    const version = this.#version.get();
    if (version === this.#seen) return false;
    this.#seen = version;
    const unreadable: string[] = [];
    const keep = <Row>(row: Row | undefined, why: readonly { readonly message: string }[]): Row[] => {
      if (row === undefined) unreadable.push(why.map(({ message }) => message).join("; "));
      return row === undefined ? [] : [row];
    };
    const intents = this.#intents.all({ after: this.#intentsBefore }).flatMap((row) => {
      const decoded = decodeWorkflowTurnIntent(row);
      return keep(decoded.ok ? decoded.record : undefined, decoded.ok ? [] : decoded.violations);
    });
    const runs = this.#runs.all({ after: this.#runsBefore }).flatMap((row) => {
      const decoded = decodeWorkflowRun(row);
      return keep(decoded.ok ? decoded.record : undefined, decoded.ok ? [] : decoded.violations);
    });
    this.state = {
      intents: new Map(intents.map((intent) => [intent.intentId, intent])),
      runs: new Map(runs.map((run) => [run.runId, run])),
      held: new Set(this.#held.all({ after: this.#runsBefore })),
      unreadable,
    };
    return true;
  }

  /** The place in the history at which the run was taken over last; 0 when it never was. */
  lastTakeover(runId: string): number {
    return this.#lastTakeover.get({ runId }) ?? 0;
  }

  /** Whether an agent was at its step when the run was taken over last. */
  agentWasAtWork(runId: string): boolean {
    return this.#takenFrom.get({ runId }) === "agent";
  }

  get isLocked(): boolean {
    return this.#database.inTransaction;
  }

  /** Takes the write lock, so that nobody else can write until `unlock`. Returns false when somebody has it. */
  lock(): boolean {
    if (this.#database.inTransaction) return false;
    try {
      this.#database.exec("BEGIN IMMEDIATE");
      return true;
    } catch (error) {
      if ((error as { readonly code?: unknown }).code === "SQLITE_BUSY") return false;
      throw error;
    }
  }

  unlock(): void {
    if (this.#database.inTransaction) this.#database.exec("ROLLBACK");
  }

  close(): void {
    this.unlock();
    this.#database.close();
  }
}
