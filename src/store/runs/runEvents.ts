import {
  type Decoded,
  decodeRunEvent,
  RUN_EVENT_COLUMNS,
  type RunEvent,
  type RunEventRow,
} from "../../../generated/records.ts";
import { formatTimestamp } from "../../contracts/timestamp.ts";
import type { NamedStatement, StoreConnection } from "../database/connection.ts";
import type { Stored } from "../database/textBytes.ts";
import { invalid, requireKeys, requireLimit } from "../storeArguments.ts";
import { RowReader, type StoreDiagnostic } from "../storeDiagnostics.ts";

/** Something that happened to a run. */
export interface RunEventToRecord {
  /** The run, 1 to 512 characters. */
  readonly runId: string;
  /** The workflow that it runs, 1 to 512 characters. */
  readonly workflowRef: string;
  /** The kind of the event, such as `runHeld`. */
  readonly type: string;
  /** The process that saw it happen. */
  readonly runnerId?: string | null;
  /** Anything that can be written as JSON; no secrets, no unbounded output. */
  readonly payload: unknown;
}

/** Which events of a run a listing has. */
export interface ListRunEvents {
  /** The run, 1 to 512 characters. */
  readonly runId: string;
  /** Only events after the one with this `seq`; from the first when left out. */
  readonly after?: number;
  /** The most events, 1 to 100. */
  readonly limit: number;
}

/** The history of runs. Rows are only ever added. */
export class RunEvents {
  readonly #connection: StoreConnection;
  readonly #reader: RowReader<RunEventRow, RunEvent>;
  readonly #insert: NamedStatement<{ readonly seq: number }>;
  readonly #list: NamedStatement<Stored<RunEventRow>>;

  constructor(connection: StoreConnection, report: (diagnostic: StoreDiagnostic) => void) {
    this.#connection = connection;
    this.#reader = new RowReader<RunEventRow, RunEvent>({
      connection,
      table: "run_events",
      columns: RUN_EVENT_COLUMNS,
      decode: decodeEvent,
      identify: ({ run_id }) => ({ runId: String(run_id) }),
      report,
    });
    this.#list = connection.prepare(
      `SELECT rowid AS rowid, ${RUN_EVENT_COLUMNS.join(", ")} FROM run_events WHERE run_id = +:runId AND seq > +:after ORDER BY seq`,
    );
    this.#insert = connection.prepare(
      `INSERT INTO run_events (recorded_at, run_id, workflow_ref, type, runner_id, payload_json)
       VALUES (:recordedAt, :runId, :workflowRef, :type, :runnerId, :payloadJson) RETURNING seq`,
    );
  }

  record({ runId, workflowRef, type, runnerId = null, payload }: RunEventToRecord): number {
    requireKeys({ runId, workflowRef, type, ...(runnerId === null ? {} : { runnerId }) });
    const payloadJson = JSON.stringify(payload) as string | undefined;
    if (payloadJson === undefined) throw invalid("payload", "pass a value that can be written as JSON");
    return this.#connection.write((now) => {
      const event = { recordedAt: formatTimestamp(now), runId, workflowRef, type, runnerId, payloadJson };
      return this.#insert.get(event)?.seq ?? 0;
    });
  }

  list({ runId, after = 0, limit }: ListRunEvents): readonly RunEvent[] {
    requireKeys({ runId });
    requireLimit(limit);
    return this.#connection.read(() => this.#reader.firstReadable(this.#list.iterate({ runId, after }), limit));
  }
}

/** Readers of the history take a payload for JSON; the database does not ask for that, so it is asked here. */
function decodeEvent(row: RunEventRow): Decoded<RunEvent> {
  const decoded = decodeRunEvent(row);
  if (!decoded.ok || isJson(decoded.record.payloadJson)) return decoded;
  const path = "/payload_json";
  return { ok: false, violations: [{ path, rule: "json", bound: true, message: `${path} must be JSON text.` }] };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
