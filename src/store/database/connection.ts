import type { Database, Statement } from "better-sqlite3";
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

/** A decision that seldom needs the write lock, with what it is made on. */
export interface Decision<Seen, Result> {
  /** Reads what the decision is made on. */
  readonly look: (now: number) => Seen;
  /** The decision where nothing is to be written; undefined where something is. */
  readonly withoutLock: (seen: Seen) => Result | undefined;
  /** Writes what follows from what was seen, which nobody else can change now. */
  readonly underLock: (seen: Seen, now: number) => Result;
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
  #writes = 0;
  #dataVersion: Statement<[], number> | undefined;

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
    this.#writes += 1;
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

  /**
   * Decides on what is seen without a lock where that is enough. Otherwise takes the write lock and decides on what was
   * seen, if that still holds: nobody has changed the database, and the clock shows the same millisecond; or else on what is
   * seen then. Who is told of a row that cannot be read, or is asked the time, may change it through this connection too.
   */
  decide<Seen, Result>({ look, withoutLock, underLock }: Decision<Seen, Result>): Result {
    return this.call(() => {
      const ownWrites = this.#writes;
      const first = this.read((now) => ({ now, version: this.dataVersion(), seen: look(now) }));
      const decided = withoutLock(first.seen);
      if (decided !== undefined) return decided;
      return this.write((now) => {
        // This write is the first since the look.
        const isOnlyWrite = this.#writes === ownWrites + 1;
        const holds = isOnlyWrite && this.dataVersion() === first.version && now === first.now;
        return underLock(holds ? first.seen : this.#lookUndisturbed(look, now), now);
      });
    });
  }

  /** A number that differs from the last one when another connection has changed the database since. */
  dataVersion(): number {
    this.#dataVersion ??= this.#database.prepare<[], number>("PRAGMA data_version").pluck();
    return this.#dataVersion.get() ?? 0;
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

  /** Looks until nothing is changed meanwhile: each row that cannot be read is told of once, so that this ends. */
  #lookUndisturbed<Seen>(look: (now: number) => Seen, now: number): Seen {
    for (;;) {
      const ownWrites = this.#writes;
      const seen = look(now);
      if (this.#writes === ownWrites) return seen;
    }
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
