import type { ContractViolation, WorkflowTurnIntent } from "../../../generated/records.ts";
import type { NamedStatement, StoreConnection } from "../database/connection.ts";
import { invalid, LIMIT_MAX, requireKeys, requireLimit, requireOneOf } from "../storeArguments.ts";
import { liveClaimSql } from "./claimLease.ts";
import { INTENT_COLUMNS, type StoredTurnIntent, type TurnIntentRows } from "./turnIntentRows.ts";

/**
 * Which intents a listing has. `pending`: all that are unresolved. `eligible`: those of them that a fallback may
 * resolve, claimed or not. `claimed`: those under a live claim. `resolved`: the rest.
 */
export const TURN_INTENT_STATES = ["pending", "eligible", "claimed", "resolved"] as const;
/** One of `TURN_INTENT_STATES`. */
export type TurnIntentState = (typeof TURN_INTENT_STATES)[number];

/** Which intents a page has: those that match all that is given. */
export interface ListTurnIntents {
  /** Only those of this session, 1 to 512 characters. */
  readonly targetSessionId?: string;
  /** Only those of this run, 1 to 512 characters. */
  readonly runId?: string;
  /** Only those in this state. */
  readonly state?: TurnIntentState;
  /** The most intents of a page, 1 to 100. */
  readonly limit: number;
  /** The `next` of the page before, of the same listing. */
  readonly after?: string;
}

/** A row that breaks its contract. */
export interface UnreadableTurnIntent {
  /** Where SQLite keeps the row. */
  readonly rowid: number;
  /** Undefined where not even the id is text. */
  readonly intentId: string | undefined;
  /** What is wrong with it. */
  readonly violations: readonly ContractViolation[];
}

/** A page of a listing. */
export interface TurnIntentPage {
  /** The intents in the order of the listing. */
  readonly intents: readonly WorkflowTurnIntent[];
  /** The rows on the way that cannot be read, at most 100; they do not count against the limit. */
  readonly unreadable: readonly UnreadableTurnIntent[];
  /** Where the next page begins; left out on the last one. */
  readonly next?: string;
}

type Column = "rowid" | "run_id" | "target_session_id" | "eligible_at" | "intent_id";

/**
 * The ways through the table, each along an index: the order in which their rows come. That is the order of creation,
 * but for what is not resolved: it is found in indexes of its own, however long the history is.
 */
const PATHS = {
  created: ["rowid"],
  pending: ["run_id", "target_session_id", "rowid"],
  eligible: ["target_session_id", "eligible_at", "intent_id"],
} as const satisfies Record<string, readonly Column[]>;

type PathName = keyof typeof PATHS;

const STATE_SQL: Readonly<Record<TurnIntentState, string>> = {
  pending: "resolved_at IS NULL",
  eligible: "resolved_at IS NULL AND eligible_at IS NOT NULL",
  claimed: `resolved_at IS NULL AND ${liveClaimSql("delivery_claim_token", "delivery_claim_expires_at")}`,
  resolved: "resolved_at IS NOT NULL",
};

/** The bounded diagnostic listing of intents. */
export class TurnIntentListing {
  readonly #connection: StoreConnection;
  readonly #rows: TurnIntentRows;
  readonly #statements = new Map<string, NamedStatement<StoredTurnIntent>>();

  constructor(connection: StoreConnection, rows: TurnIntentRows) {
    this.#connection = connection;
    this.#rows = rows;
  }

  list(listing: ListTurnIntents): TurnIntentPage {
    const { targetSessionId, runId, state, limit, after } = listing;
    if (targetSessionId !== undefined) requireKeys({ targetSessionId });
    if (runId !== undefined) requireKeys({ runId });
    if (state !== undefined) requireOneOf({ name: "state", value: state, allowed: TURN_INTENT_STATES });
    requireLimit(limit);
    const path = pathFor(listing);
    const start = startOf(path, after);
    return this.#connection.read((now) => {
      const rows = this.#statement(path, listing).iterate({ targetSessionId, runId, now, ...start });
      const { unreadableRows, ...page } = this.#page(rows, { path, limit });
      for (const row of unreadableRows) this.#rows.reader.readable(row);
      return page;
    });
  }

  #page(
    rows: Iterable<StoredTurnIntent>,
    { path, limit }: { readonly path: PathName; readonly limit: number },
  ): TurnIntentPage & { readonly unreadableRows: readonly StoredTurnIntent[] } {
    const intents: WorkflowTurnIntent[] = [];
    const unreadable: UnreadableTurnIntent[] = [];
    const unreadableRows: StoredTurnIntent[] = [];
    let last: StoredTurnIntent | undefined;
    for (const row of rows) {
      const isFull = intents.length === limit || unreadable.length === LIMIT_MAX;
      if (isFull && last !== undefined) return { intents, unreadable, unreadableRows, next: cursorOf(path, last) };
      const decoded = this.#rows.reader.decode(row);
      if (decoded.ok) intents.push(decoded.record);
      else {
        unreadable.push(unreadableOf(row, decoded.violations));
        unreadableRows.push(row);
      }
      last = row;
    }
    return { intents, unreadable, unreadableRows };
  }

  #statement(path: PathName, { targetSessionId, runId, state }: ListTurnIntents): NamedStatement<StoredTurnIntent> {
    const filters = { ofSession: targetSessionId !== undefined, ofRun: runId !== undefined, state };
    const key = `${filters.ofSession} ${filters.ofRun} ${state}`;
    const statement =
      this.#statements.get(key) ?? this.#connection.prepare<StoredTurnIntent>(listingSql(path, filters));
    this.#statements.set(key, statement);
    return statement;
  }
}

interface Filters {
  readonly ofSession: boolean;
  readonly ofRun: boolean;
  readonly state: TurnIntentState | undefined;
}

function listingSql(path: PathName, { ofSession, ofRun, state }: Filters): string {
  const order = PATHS[path];
  // The index of all of a session's intents would lead through its whole history to the few that are pending.
  const session = path === "pending" ? "+target_session_id" : "target_session_id";
  const conditions = [
    ...(ofSession ? [`${session} = +:targetSessionId`] : []),
    ...(ofRun ? ["run_id = +:runId"] : []),
    ...(state === undefined ? [] : [STATE_SQL[state]]),
    `(${order.join(", ")}) > (${order.map((column) => `+:after_${column}`).join(", ")})`,
  ];
  return `SELECT rowid, ${INTENT_COLUMNS} FROM workflow_turn_intents WHERE ${conditions.join(" AND ")} ORDER BY ${order.join(", ")}`;
}

/** Every listing has a path whose index leads to its rows, and not past those of the history that are not wanted. */
function pathFor({ runId, state }: ListTurnIntents): PathName {
  if (state === "eligible" && runId === undefined) return "eligible";
  return state === undefined || state === "resolved" ? "created" : "pending";
}

function unreadableOf(row: StoredTurnIntent, violations: readonly ContractViolation[]): UnreadableTurnIntent {
  const id: unknown = row.intent_id;
  return { rowid: row.rowid, intentId: typeof id === "string" ? id : undefined, violations };
}

/** The place of a row on its path, as text that means nothing to the caller. Null stands before every text. */
function cursorOf(path: PathName, row: StoredTurnIntent): string {
  return Buffer.from(JSON.stringify([path, ...PATHS[path].map((column) => row[column] ?? "")])).toString("base64url");
}

/** What stands before every row, on any path. */
const FIRST_ROW = {
  after_rowid: 0,
  after_run_id: "",
  after_target_session_id: "",
  after_eligible_at: "",
  after_intent_id: "",
};

/** The parameters that begin a page after a cursor, or at the first row. */
function startOf(path: PathName, after: string | undefined): Readonly<Record<string, unknown>> {
  if (after === undefined) return FIRST_ROW;
  const order: readonly Column[] = PATHS[path];
  const values = valuesIn(after, path);
  return Object.fromEntries(order.map((column, place) => [`after_${column}`, values[place]]));
}

function valuesIn(after: string, path: PathName): readonly unknown[] {
  const [name, ...values] = parseCursor(after);
  const order: readonly Column[] = PATHS[path];
  if (name === path && values.length === order.length && values.every(isColumnValue)) return values;
  throw invalid("after", "pass the next of the page before, with the same filters");
}

function isColumnValue(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number" || Buffer.isBuffer(value);
}

function parseCursor(after: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(String(after), "base64url").toString(), reviveBlob);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

/** A row that cannot be read may hold a blob where text belongs; the page after it begins there all the same. */
function reviveBlob(_key: string, value: unknown): unknown {
  const isBlob =
    typeof value === "object" && value !== null && "type" in value && value.type === "Buffer" && "data" in value;
  return isBlob && Array.isArray(value.data) ? Buffer.from(value.data) : value;
}
