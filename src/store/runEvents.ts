import { formatTimestamp } from "../contracts/timestamp.ts";
import type { NamedStatement, StoreConnection } from "./connection.ts";
import { invalid, requireKeys } from "./storeArguments.ts";

/** Something that happened to a run. */
export interface RunEventToRecord {
  readonly runId: string;
  readonly workflowRef: string;
  /** The kind of the event, such as `runHeld`. */
  readonly type: string;
  /** The process that saw it happen. */
  readonly runnerId?: string | null;
  /** Anything that can be written as JSON; no secrets, no unbounded output. */
  readonly payload: unknown;
}

/** The history of runs. Rows are only ever added. */
export class RunEvents {
  readonly #connection: StoreConnection;
  readonly #insert: NamedStatement<{ readonly seq: number }>;

  constructor(connection: StoreConnection) {
    this.#connection = connection;
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
}
