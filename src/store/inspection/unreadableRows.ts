import type Database from "better-sqlite3";
import {
  type ContractViolation,
  type Decoded,
  decodeRunEvent,
  decodeWorkflowNotification,
  decodeWorkflowRun,
  decodeWorkflowTurnIntent,
  RUN_EVENT_COLUMNS,
  WORKFLOW_NOTIFICATION_COLUMNS,
  WORKFLOW_RUN_COLUMNS,
  WORKFLOW_TURN_INTENT_COLUMNS,
} from "../../../generated/records.ts";

/** A row that breaks its contract. */
export interface UnreadableRow {
  readonly table: string;
  readonly rowid: number;
  readonly violations: readonly ContractViolation[];
}

interface ReadTable {
  readonly table: string;
  readonly columns: readonly string[];
  readonly decode: (row: unknown) => Decoded<unknown>;
}

const TABLES: readonly ReadTable[] = [
  { table: "workflow_turn_intents", columns: WORKFLOW_TURN_INTENT_COLUMNS, decode: decodeWorkflowTurnIntent },
  { table: "workflow_run_queue", columns: WORKFLOW_RUN_COLUMNS, decode: decodeWorkflowRun },
  { table: "run_events", columns: RUN_EVENT_COLUMNS, decode: decodeRunEvent },
  { table: "workflow_notifications", columns: WORKFLOW_NOTIFICATION_COLUMNS, decode: decodeWorkflowNotification },
];

/** Enough to see what is wrong; a table that another program fills wrongly can hold any number. */
const MOST = 100;

/** The first rows of each table that cannot be read, at most 100 a table. */
export function unreadableRows(database: Database.Database): readonly UnreadableRow[] {
  return TABLES.flatMap((table) => firstUnreadable(database, table));
}

function firstUnreadable(database: Database.Database, { table, columns, decode }: ReadTable): readonly UnreadableRow[] {
  const found: UnreadableRow[] = [];
  const rows = database.prepare<[], { readonly theRowid: number }>(
    `SELECT rowid AS theRowid, ${columns.join(", ")} FROM ${table} ORDER BY rowid`,
  );
  for (const { theRowid, ...row } of rows.iterate()) {
    const decoded = decode(row);
    if (!decoded.ok) found.push({ table, rowid: theRowid, violations: decoded.violations });
    if (found.length === MOST) break;
  }
  return found;
}
