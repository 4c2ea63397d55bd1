import type { Database, Statement } from "better-sqlite3";

/** Named parameters, given as one object. */
type Parameters = Readonly<Record<string, unknown>>;

/**
 * A statement with named parameters. It is prepared at its first use and once: most processes need few of the store's
 * statements, and preparing all of them is most of what an opening would take.
 */
export class NamedStatement<Row> {
  readonly #database: Database;
  readonly #sql: string;
  #statement: Statement<[Parameters], Row> | undefined;

  /** @internal Kept out of the declarations: users have no types of SQLite. */
  constructor(database: Database, sql: string) {
    this.#database = database;
    this.#sql = sql;
  }

  get(parameters: Parameters): Row | undefined {
    return this.#prepared().get(parameters);
  }

  all(parameters: Parameters): Row[] {
    return this.#prepared().all(parameters);
  }

  iterate(parameters: Parameters): IterableIterator<Row> {
    return this.#prepared().iterate(parameters);
  }

  run(parameters: Parameters): { readonly changes: number } {
    return this.#prepared().run(parameters);
  }

  #prepared(): Statement<[Parameters], Row> {
    this.#statement ??= this.#database.prepare<[Parameters], Row>(this.#sql);
    return this.#statement;
  }
}
