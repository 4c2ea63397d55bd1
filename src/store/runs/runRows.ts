import {
  decodeWorkflowRun,
  encodeWorkflowRun,
  WORKFLOW_RUN_COLUMNS,
  type WorkflowRun,
  type WorkflowRunRow,
  type WorkflowRunStatus,
} from "../../../generated/records.ts";
import type { NamedStatement, StoreConnection } from "../database/connection.ts";
import type { Stored } from "../database/textBytes.ts";
import { RowReader, type StoreDiagnostic } from "../storeDiagnostics.ts";

/** The columns of a run, for a SELECT or RETURNING. */
export const RUN_COLUMNS = `rowid AS rowid, ${WORKFLOW_RUN_COLUMNS.join(", ")}`;

/** A row of the table, as it was read. */
export type StoredRun = Stored<WorkflowRunRow>;

/** The statuses of a run that has a place in its session: at most one run of a session has one of them. */
export const ACTIVE_SQL = "status IN ('queued', 'starting', 'running')";

/** Which runs a listing has. */
export interface ListWorkflowRuns {
  /** Only runs of this session, 1 to 512 characters; of all sessions when left out. */
  readonly originSessionId?: string;
  /** All when left out. */
  readonly statuses?: readonly WorkflowRunStatus[];
  /** The most runs, 1 to 100. */
  readonly limit: number;
}

/** The statements that read runs and add them. */
export class RunRows {
  readonly #connection: StoreConnection;
  readonly #reader: RowReader<WorkflowRunRow, WorkflowRun>;
  readonly #byId: NamedStatement<StoredRun>;
  readonly #activeInSession: NamedStatement<StoredRun>;
  readonly #active: NamedStatement<StoredRun>;
  readonly #childOf: NamedStatement<StoredRun>;
  readonly #insert: NamedStatement<unknown>;
  readonly #listings = new Map<string, NamedStatement<StoredRun>>();

  constructor(connection: StoreConnection, report: (diagnostic: StoreDiagnostic) => void) {
    this.#connection = connection;
    this.#reader = new RowReader<WorkflowRunRow, WorkflowRun>({
      connection,
      table: "workflow_run_queue",
      columns: WORKFLOW_RUN_COLUMNS,
      decode: decodeWorkflowRun,
      identify: ({ run_id }) => ({ runId: String(run_id) }),
      report,
    });
    const select = `SELECT ${RUN_COLUMNS} FROM workflow_run_queue`;
    this.#byId = connection.prepare(`${select} WHERE run_id = :runId`);
    this.#activeInSession = connection.prepare(
      `${select} WHERE origin_session_id = :originSessionId AND ${ACTIVE_SQL} AND run_id <> :runId LIMIT 1`,
    );
    this.#active = connection.prepare(`${select} WHERE origin_session_id = :originSessionId AND ${ACTIVE_SQL} LIMIT 1`);
    this.#childOf = connection.prepare(`${select} WHERE parent_run_id = :parentRunId LIMIT 1`);
    const placeholders = WORKFLOW_RUN_COLUMNS.map((column) => `:${column}`).join(", ");
    this.#insert = connection.prepare(
      `INSERT INTO workflow_run_queue (${WORKFLOW_RUN_COLUMNS.join(", ")}) VALUES (${placeholders})`,
    );
  }

  /** The run of an id. Throws CORRUPT_ROW when it cannot be read. */
  byId(runId: string): WorkflowRun | undefined {
    return this.read(this.#byId.get({ runId }));
  }

  /** The run that has the active place of a session, other than `runId`. */
  activeInSession(place: { readonly originSessionId: string; readonly runId: string }): WorkflowRun | undefined {
    return this.read(this.#activeInSession.get(place));
  }

  /** The run that has the active place of a session. */
  active(originSessionId: string): WorkflowRun | undefined {
    return this.read(this.#active.get({ originSessionId }));
  }

  childOf(parentRunId: string): WorkflowRun | undefined {
    return this.read(this.#childOf.get({ parentRunId }));
  }

  insert(run: WorkflowRun): void {
    this.#insert.run({ ...encodeWorkflowRun(run) });
  }

  /** The newest first. The table is older than this package and has no index for it: rows are read backwards from the end. */
  list({ originSessionId, statuses, limit }: ListWorkflowRuns): readonly WorkflowRun[] {
    const conditions = [
      ...(originSessionId === undefined ? [] : ["origin_session_id = +:originSessionId"]),
      ...(statuses === undefined ? [] : [`status IN (${statuses.map((status) => `'${status}'`).join(", ")})`]),
    ];
    const where = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
    const sql = `SELECT ${RUN_COLUMNS} FROM workflow_run_queue ${where} ORDER BY rowid DESC`;
    const statement = this.#listings.get(sql) ?? this.#connection.prepare<StoredRun>(sql);
    this.#listings.set(sql, statement);
    return this.#reader.firstReadable(statement.iterate({ originSessionId }), limit);
  }

  read(row: StoredRun | undefined): WorkflowRun | undefined {
    return row && this.#reader.required(row);
  }
}
