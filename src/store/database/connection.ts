import type { Database } from "better-sqlite3";
import { DeferredTurnsError } from "../../contracts/errors.ts";
import { LockPatience } from "./lockPatience.ts";
import { NamedStatement } from "./namedStatement.ts";
import { asStoreError } from "./storeErrors.ts";

/** What a connection needs besides the database. */
export interface ConnectionOptions {
  readonly path: string;
  readonly busyTimeoutMs: number;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

export type { NamedStatement } from "./namedStatement.ts";

/**
 * One open database. Every operation runs inside `call`, which bounds its waiting and turns SQLite's errors into
 * DeferredTurnsErrors. Whatever writes runs inside `write`: a transaction that takes the write lock before its first
 * read, so that what was read still holds when it writes.
 */
export class StoreConnection {
  readonly #database: Database;
  readonly #options: ConnectionOptions;
  readonly #runTransaction: ReturnType<Database["transaction"]>;
  #patience: LockPatience | undefined;
  #busyTimeoutMs: number | undefined;
  #isWriting = false;

  /** @internal Kept out of the declarations: users have no types of SQLite. */
  constructor(database: Database, options: ConnectionOptions) {
    this.#database = database;
    this.#options = options;
    this.#runTransaction = database.transaction((work: () => unknown) => work());
  }

  /**
   * A statement, which is prepared at its first use. Where it has an ORDER BY, its parameters are written `+:name`: SQLite looks at the value of a bare
   * one to plan the order, and so plans the statement anew at every call, which costs ten times what the call does.
   */
  prepare<Row>(sql: string): NamedStatement<Row> {
    return new NamedStatement<Row>(this.#database, sql);
  }

  /** Runs one operation. All its waits for locks together last no longer than the busy timeout; then STORE_BUSY is thrown. */
  call<Result>(work: () => Result): Result {
    const isOutermost = this.#patience === undefined;
    this.#patience ??= new LockPatience(this.#options.busyTimeoutMs);
    try {
      return work();
    } catch (error) {
      throw asStoreError(error, this.#options.path);
    } finally {
      if (isOutermost) this.#patience = undefined;
    }
  }

  /** Reads without a lock of its own. Inside `write` it sees what the transaction wrote. */
  read<Result>(work: (now: number) => Result): Result {
    return this.call(() => {
      this.#limitWaiting();
      return work(this.#now());
    });
  }

  /**
   * Runs `work` in one immediate transaction, or as a part of the one that is under way: a part that throws undoes only
   * its own changes. The clock is read when the write lock is held, so that no wait makes it stale.
   */
  write<Result>(work: (now: number) => Result): Result {
    if (this.#isWriting) return this.call(() => this.#writePart(work));
    return this.call(() => {
      this.#limitWaiting();
      try {
        return this.#runTransaction.immediate(() => {
          this.#isWriting = true;
          return work(this.#now());
        }) as Result;
      } finally {
        this.#isWriting = false;
      }
    });
  }

  /** A number that differs from the last one when another connection has changed the database since. */
  dataVersion(): number {
    return Number(this.#database.pragma("data_version", { simple: true }));
  }

  close(): void {
    this.#database.close();
  }

  #writePart<Result>(work: (now: number) => Result): Result {
    // SQLite ends a transaction by itself when, for instance, the disk is full. Writing on would commit a half of it.
    if (!this.#database.inTransaction) {
      const message =
        "An earlier failure rolled this transaction back: let its error end the transaction, then start it again.";
      throw new DeferredTurnsError({ code: "TRANSACTION_ENDED", message });
    }
    return this.#runTransaction(() => work(this.#now())) as Result;
  }

  #now(): number {
    return Math.floor(this.#options.now());
  }

  #limitWaiting(): void {
    const milliseconds = this.#patience?.remainingMs() ?? this.#options.busyTimeoutMs;
    if (milliseconds === this.#busyTimeoutMs || this.#database.inTransaction) return;
    this.#database.pragma(`busy_timeout = ${milliseconds}`);
    this.#busyTimeoutMs = milliseconds;
  }
}
