import type { NamedStatement, StoreConnection } from "./connection.ts";

/** A row with its place in its table. */
export type Stored<Row> = Row & { readonly rowid: number };

/**
 * Looks for text that is no UTF-8. SQLite keeps whatever bytes a program gave it as text, and they are read with U+FFFD
 * in their place: the row would pass for one of another run or session, which no statement finds again.
 */
export class TextBytes {
  readonly #columns: readonly string[];
  readonly #select: NamedStatement<Readonly<Record<string, unknown>>>;

  constructor(connection: StoreConnection, table: string, columns: readonly string[]) {
    this.#columns = columns;
    const bytes = columns.map((column) => `CAST(${column} AS BLOB) AS ${column}`).join(", ");
    this.#select = connection.prepare(`SELECT ${bytes} FROM ${table} WHERE rowid = :rowid`);
  }

  /** The columns whose text was not read as it is stored. Asks the database only about rows with U+FFFD in them. */
  misread(row: Stored<object>): readonly string[] {
    const values = row as Readonly<Record<string, unknown>>;
    const doubtful = this.#columns.filter((column) => {
      const value = values[column];
      return typeof value === "string" && value.includes("\uFFFD");
    });
    const bytes = doubtful.length === 0 ? undefined : this.#select.get({ rowid: row.rowid });
    return bytes === undefined ? [] : doubtful.filter((column) => !isTextOf(bytes[column], String(values[column])));
  }
}

function isTextOf(bytes: unknown, text: string): boolean {
  return Buffer.isBuffer(bytes) && bytes.equals(Buffer.from(text));
}
