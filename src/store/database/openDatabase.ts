import Database from "better-sqlite3";
import { DeferredTurnsError } from "../../contracts/errors.ts";
import { checkIntegrity } from "./integrity.ts";
import { type JoinFinding, joinStore } from "./joinStore.ts";
import { LockPatience, patiently } from "./lockPatience.ts";
import { asStoreError, isBusy, isUnopenable } from "./storeErrors.ts";
import {
  createStoreFile,
  type FileIdentity,
  holdsLog,
  identifyFile,
  identifyStore,
  isDanglingLink,
  isSameFile,
  requireRegularFile,
  requireWritableFolder,
  type StoreFiles,
} from "./storeFile.ts";
import { checkComplete, checkLayout } from "./storeLayout.ts";

/** Which file to open, and how. */
export interface OpenDatabaseOptions {
  readonly path: string;
  readonly readonly: boolean;
  /** The most that all waits for locks of this opening may take together, milliseconds. */
  readonly busyTimeoutMs: number;
}

/** A database that is fit to be used as a store, and the files that it is. */
export interface OpenedDatabase {
  readonly database: Database.Database;
  readonly files: StoreFiles;
  readonly findings: readonly JoinFinding[];
}

/**
 * Opens a controller store, creates it, or joins an existing one. A file that is refused is only ever read.
 *
 * @throws DeferredTurnsError as `openControllerStore` documents
 */
export function openDatabase(options: OpenDatabaseOptions): OpenedDatabase {
  const { path } = options;
  const before = fileToOpen(options);
  try {
    const { database, findings } = options.readonly ? openToRead(options) : openToWrite(options);
    const files = identifyStore(path);
    if (isSameFile(before, files.database)) return { database, files, findings };
    database.close();
  } catch (error) {
    if (isUnopenable(error)) requireWritableFolder(path);
    throw asStoreError(error, path);
  }
  const message = `The controller store ${path} was replaced just while it was opened; open it again.`;
  throw new DeferredTurnsError({ code: "STORE_REPLACED", message });
}

/** The file at the path, which is created when it is to be written. */
function fileToOpen({ path, readonly }: OpenDatabaseOptions): FileIdentity {
  if (!readonly && identifyFile(path) === undefined) createStoreFile(path);
  const found = identifyFile(path);
  if (found !== undefined) {
    requireRegularFile(path);
    return found;
  }
  const message = isDanglingLink(path)
    ? `The controller store ${path} is a link to a file that is not there; make the link lead to a file, or remove it.`
    : `There is no controller store at ${path}. A Pi session creates it when it first needs one.`;
  throw new DeferredTurnsError({ code: "STORE_FAILED", message });
}

type Opened = Pick<OpenedDatabase, "database" | "findings">;

function openToRead({ path, busyTimeoutMs }: OpenDatabaseOptions): Opened {
  return useOrClose(new Database(path, { readonly: true, timeout: busyTimeoutMs }), (database) => {
    checkLayout(database, path);
    checkComplete(database, path);
    checkIntegrity(database, path);
    return { database, findings: [] };
  });
}

function openToWrite({ path, busyTimeoutMs }: OpenDatabaseOptions): Opened {
  const patience = new LockPatience(busyTimeoutMs);
  return useOrClose(lookAndOpen(path, patience), (database) => {
    requireWritable(database);
    database.pragma(`busy_timeout = ${patience.remainingMs()}`);
    patiently({ patience, isBusy }, () => switchToWal(database, path));
    database.pragma("synchronous = FULL");
    database.pragma("foreign_keys = ON");
    database.pragma(`busy_timeout = ${patience.remainingMs()}`);
    return { database, findings: joinStore(database, path) };
  });
}

/**
 * Looks at the file before anything could change it, since even the switch to WAL writes into it, and opens it to write.
 * A connection that may write leaves no log beside a file that had none, and rolls back what a writer left that died in
 * the middle of a transaction; so the one that looked is used on. But at its end it would move what a log holds into the
 * file, so there one looks that only reads.
 */
function lookAndOpen(path: string, patience: LockPatience): Database.Database {
  const onlyReads = holdsLog(path);
  const options = { readonly: onlyReads, fileMustExist: true, timeout: patience.remainingMs() };
  return useOrClose(new Database(path, options), (database) => {
    database.pragma("query_only = ON");
    checkLayout(database, path);
    checkIntegrity(database, path);
    if (!onlyReads) {
      database.pragma("query_only = OFF");
      return database;
    }
    database.close();
    return new Database(path, { fileMustExist: true });
  });
}

/**
 * SQLite opens a file that may not be written as one to be read, says so at the first write only, and would not notice
 * that it may be written later. So a write is begun and taken back, before it reaches the file.
 */
function requireWritable(database: Database.Database): void {
  database.pragma("busy_timeout = 0");
  try {
    database.exec("BEGIN IMMEDIATE; PRAGMA user_version = 0; ROLLBACK");
  } catch (error) {
    // Another process that writes just now shows that the file can be written.
    if (!isBusy(error)) throw error;
  }
}

function switchToWal(database: Database.Database, path: string): void {
  if (database.pragma("journal_mode", { simple: true }) === "wal") return;
  const mode = database.pragma("journal_mode = WAL", { simple: true });
  if (mode === "wal") return;
  const message = `The controller store ${path} cannot use write-ahead logging (it stays in mode "${mode}"); put it on a local disk.`;
  throw new DeferredTurnsError({ code: "STORE_FAILED", message });
}

function useOrClose<Result>(database: Database.Database, work: (database: Database.Database) => Result): Result {
  try {
    return work(database);
  } catch (error) {
    database.close();
    throw error;
  }
}
