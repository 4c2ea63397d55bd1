import Database from "better-sqlite3";
import { DeferredTurnsError } from "../../contracts/errors.ts";
import { type JoinFinding, joinStore } from "./joinStore.ts";
import { LockPatience, patiently } from "./lockPatience.ts";
import { asStoreError, isBusy } from "./storeErrors.ts";
import { createStoreFile, type FileIdentity, identifyFile, isSameFile } from "./storeFile.ts";
import { checkComplete, checkLayout } from "./storeLayout.ts";

/** Which file to open, and how. */
export interface OpenDatabaseOptions {
  readonly path: string;
  readonly readonly: boolean;
  /** The most that all waits for locks of this opening may take together, milliseconds. */
  readonly busyTimeoutMs: number;
}

/** A database that is fit to be used as a store, and the file that it is. */
export interface OpenedDatabase {
  readonly database: Database.Database;
  readonly file: FileIdentity;
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
    if (isSameFile(before, identifyFile(path))) return { database, file: before, findings };
    database.close();
  } catch (error) {
    throw asStoreError(error, path);
  }
  const message = `The controller store ${path} was replaced just while it was opened; open it again.`;
  throw new DeferredTurnsError({ code: "STORE_REPLACED", message });
}

/** The file at the path, which is created when it is to be written. */
function fileToOpen({ path, readonly }: OpenDatabaseOptions): FileIdentity {
  if (!readonly && identifyFile(path) === undefined) createStoreFile(path);
  const found = identifyFile(path);
  if (found !== undefined) return found;
  const message = `There is no controller store at ${path}. A Pi session creates it when it first needs one.`;
  throw new DeferredTurnsError({ code: "STORE_FAILED", message });
}

type Opened = Pick<OpenedDatabase, "database" | "findings">;

function openToRead({ path, busyTimeoutMs }: OpenDatabaseOptions): Opened {
  return useOrClose(new Database(path, { readonly: true, timeout: busyTimeoutMs }), (database) => {
    checkLayout(database, path);
    checkComplete(database, path);
    return { database, findings: [] };
  });
}

function openToWrite({ path, busyTimeoutMs }: OpenDatabaseOptions): Opened {
  const patience = new LockPatience(busyTimeoutMs);
  inspect(path, patience);
  return useOrClose(new Database(path, { fileMustExist: true, timeout: patience.remainingMs() }), (database) => {
    patiently({ patience, isBusy }, () => switchToWal(database, path));
    database.pragma("synchronous = FULL");
    database.pragma("foreign_keys = ON");
    database.pragma(`busy_timeout = ${patience.remainingMs()}`);
    return { database, findings: joinStore(database, path) };
  });
}

/** Looks at the file before anything could change it: even the switch to WAL writes into it. */
function inspect(path: string, patience: LockPatience): void {
  try {
    look(path, patience);
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== "SQLITE_READONLY_ROLLBACK") throw error;
    // A writer died in the middle of a transaction; what it left is no state of the store until that is rolled back.
    rollBackDeadWriter(path, patience);
    look(path, patience);
  }
}

function look(path: string, patience: LockPatience): void {
  useAndClose(new Database(path, { readonly: true, timeout: patience.remainingMs() }), (database) =>
    checkLayout(database, path),
  );
}

function rollBackDeadWriter(path: string, patience: LockPatience): void {
  useAndClose(new Database(path, { fileMustExist: true, timeout: patience.remainingMs() }), (database) =>
    database.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").get(),
  );
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

function useAndClose(database: Database.Database, work: (database: Database.Database) => unknown): void {
  try {
    work(database);
  } finally {
    database.close();
  }
}
