import type { WorkflowTurnIntent } from "../../../generated/records.ts";
import type { NamedStatement, StoreConnection } from "../database/connection.ts";
import { INTENT_COLUMNS, type StoredTurnIntent, type TurnIntentRows } from "./turnIntentRows.ts";

/**
 * Follows the intents of a store for somebody who watches them. Asking costs next to nothing while no other connection
 * writes, and takes no lock.
 */
export class TurnIntentFollower {
  readonly #connection: StoreConnection;
  readonly #rows: TurnIntentRows;
  readonly #newest: NamedStatement<{ readonly rowid: number | null }>;
  readonly #added: NamedStatement<StoredTurnIntent>;
  readonly #pending: NamedStatement<StoredTurnIntent>;
  #version: number | undefined;
  #lastRowid = 0;
  #pendingIds: ReadonlySet<string> = new Set();

  /** @internal Use `ControllerStore.followTurnIntents`. */
  constructor(connection: StoreConnection, rows: TurnIntentRows) {
    this.#connection = connection;
    this.#rows = rows;
    const select = `SELECT ${INTENT_COLUMNS} FROM workflow_turn_intents`;
    this.#newest = connection.prepare("SELECT max(rowid) AS rowid FROM workflow_turn_intents");
    this.#added = connection.prepare(`${select} WHERE rowid > +:lastRowid ORDER BY rowid`);
    this.#pending = connection.prepare(`${select} WHERE resolved_at IS NULL ORDER BY run_id, target_session_id, rowid`);
  }

  /**
   * The intents that may have changed since the last call, as they are now, oldest first: those that were added, are
   * pending, or were pending. The first call has those that are pending. Undefined when nothing was written since.
   * Rows that cannot be read are passed over and reported.
   */
  next(): readonly WorkflowTurnIntent[] | undefined {
    return this.#connection.read(() => {
      const version = this.#connection.dataVersion();
      if (version === this.#version) return undefined;
      const rows = this.#version === undefined ? this.#first() : this.#touched();
      this.#version = version;
      this.#pendingIds = new Set(rows.filter(isPending).map(({ intent_id }) => intent_id));
      this.#lastRowid = Math.max(this.#lastRowid, ...rows.map(({ rowid }) => rowid));
      return rows.map((row) => this.#rows.reader.readable(row)).filter((intent) => intent !== undefined);
    });
  }

  #first(): readonly StoredTurnIntent[] {
    this.#lastRowid = this.#newest.get({})?.rowid ?? 0;
    return inOrder(this.#pending.all({}));
  }

  #touched(): readonly StoredTurnIntent[] {
    const rows = [...this.#added.all({ lastRowid: this.#lastRowid }), ...this.#pending.all({})];
    const known = new Set(rows.map(({ intent_id }) => intent_id));
    const settled = [...this.#pendingIds].filter((id) => !known.has(id)).flatMap((id) => this.#rows.stored(id) ?? []);
    return inOrder([...rows, ...settled]);
  }
}

function isPending({ resolved_at }: StoredTurnIntent): boolean {
  return resolved_at === null;
}

/** Each row once, in the order of creation. */
function inOrder(rows: readonly StoredTurnIntent[]): readonly StoredTurnIntent[] {
  const byRowid = new Map(rows.map((row) => [row.rowid, row]));
  return [...byRowid.values()].toSorted((one, other) => one.rowid - other.rowid);
}
