import type { ContractViolation, Decoded } from "../../generated/records.ts";
import { cutText } from "../contracts/characters.ts";
import { DeferredTurnsError } from "../contracts/errors.ts";
import type { StoreConnection } from "./database/connection.ts";
import { type Stored, TextBytes } from "./database/textBytes.ts";
import { correctionAdvice } from "./rowCorrection.ts";

/** The most of a row's id and of what is wrong with it that a report quotes, in characters: both can be of any length. */
const QUOTED_ID_LENGTH = 128;
const QUOTED_FLAWS_LENGTH = 1000;

/** Something the store met that stops nobody, but that a person should know. */
export interface StoreDiagnostic {
  /** What was met, for a program to tell apart. */
  readonly code: "CORRUPT_ROW" | "DUPLICATE_PENDING_INTENTS" | "LOOSE_PERMISSIONS" | "NETWORK_FILE_SYSTEM";
  /** What was met, where, and what to do. */
  readonly message: string;
  /** The turn intent that it is about, where it is about one. */
  readonly intentId?: string;
  /** The workflow run that it is about, where it is about one. */
  readonly runId?: string;
}

/** What a reader works with. */
export interface RowReaderOptions<Row, RowRecord> {
  readonly connection: StoreConnection;
  readonly table: string;
  readonly columns: readonly string[];
  readonly decode: (row: Row) => Decoded<RowRecord>;
  /** How the diagnostic names a row: its id under the name that diagnostics have for it. */
  readonly identify: (row: Row) => Pick<StoreDiagnostic, "intentId" | "runId">;
  readonly report: (diagnostic: StoreDiagnostic) => void;
}

/**
 * Reads rows that any program may have written. One that breaks its contract blocks no other: it is passed over and
 * reported once in the life of the store, or thrown where just this row was asked for.
 */
export class RowReader<Row extends object, RowRecord> {
  readonly #options: RowReaderOptions<Row, RowRecord>;
  readonly #bytes: TextBytes;
  readonly #reported = new Set<string>();

  constructor(options: RowReaderOptions<Row, RowRecord>) {
    this.#options = options;
    this.#bytes = new TextBytes(options.connection, options.table, options.columns);
  }

  /** What the row says, or why it cannot be read. */
  decode(row: Stored<Row>): Decoded<RowRecord> {
    const decoded = this.#options.decode(row);
    const misread = decoded.ok ? this.#bytes.misread(row) : [];
    return misread.length === 0 ? decoded : { ok: false, violations: misread.map(noUtf8) };
  }

  /** The record of a row; undefined, with a report, when it cannot be read. */
  readable(row: Stored<Row>): RowRecord | undefined {
    const decoded = this.decode(row);
    if (decoded.ok) return decoded.record;
    this.#reportOnce(row, decoded.violations);
    return undefined;
  }

  /** The records of the first rows that can be read, at most `limit`; what cannot be read takes nobody's place. */
  firstReadable(rows: Iterable<Stored<Row>>, limit: number): readonly RowRecord[] {
    const records: RowRecord[] = [];
    const unreadable: Stored<Row>[] = [];
    for (const row of rows) {
      const decoded = this.decode(row);
      if (decoded.ok) records.push(decoded.record);
      else unreadable.push(row);
      if (records.length === limit) break;
    }
    // Not before the rows are read to their end: who gets a report may use the store, which is busy until then.
    for (const row of unreadable) this.readable(row);
    return records;
  }

  /** The record of a row that must be read. Throws CORRUPT_ROW when it cannot be. */
  required(row: Stored<Row>): RowRecord {
    const decoded = this.decode(row);
    if (decoded.ok) return decoded.record;
    throw new DeferredTurnsError({
      code: "CORRUPT_ROW",
      message: this.#sentence(row, decoded.violations),
      path: decoded.violations[0]?.path,
    });
  }

  #reportOnce(row: Row, violations: readonly ContractViolation[]): void {
    const message = this.#sentence(row, violations);
    if (this.#reported.has(message)) return;
    this.#reported.add(message);
    this.#options.report({ code: "CORRUPT_ROW", message, ...this.#identify(row) });
  }

  #sentence(row: Row, violations: readonly ContractViolation[]): string {
    const [id = "without an id"] = Object.values(this.#identify(row));
    const why = cutText(violations.map(({ message }) => message).join(" "), QUOTED_FLAWS_LENGTH);
    return `The row ${id} of ${this.#options.table} breaks its contract: ${why} ${correctionAdvice(this.#options.table)}`;
  }

  #identify(row: Row): Pick<StoreDiagnostic, "intentId" | "runId"> {
    const identity = Object.entries(this.#options.identify(row));
    return Object.fromEntries(identity.map(([name, id]) => [name, cutText(id, QUOTED_ID_LENGTH)]));
  }
}

function noUtf8(column: string): ContractViolation {
  const path = `/${column}`;
  return { path, rule: "encoding", bound: "UTF-8", message: `${path} must be UTF-8.` };
}
