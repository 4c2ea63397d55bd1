import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
} from "node:fs";
import { dirname } from "node:path";
import { DeferredTurnsError } from "../../contracts/errors.ts";
import { asStoreFileError } from "./storeErrors.ts";

/** What tells one file from another that stands at the same path. */
export interface FileIdentity {
  readonly device: bigint;
  readonly inode: bigint;
}

/**
 * The identity of the file at a path, or undefined when there is none.
 *
 * @throws DeferredTurnsError `STORE_READONLY` or `STORE_FAILED` when its folder cannot be looked into
 */
export function identifyFile(path: string): FileIdentity | undefined {
  return onFile(path, () => {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    return found && { device: found.dev, inode: found.ino };
  });
}

export function isSameFile(a: FileIdentity | undefined, b: FileIdentity | undefined): boolean {
  return a !== undefined && b !== undefined && a.device === b.device && a.inode === b.inode;
}

/**
 * The files of an open store: the database, and beside it the write-ahead log and the log's index, where there are any.
 * While a connection is open SQLite takes none of them away: one that is missing was removed by somebody else, and then
 * this connection and those that are opened later no longer see each other's writes and locks.
 */
export interface StoreFiles {
  /** The path of the file that a link at the store's path led to, beside which the log is. */
  readonly real: string;
  readonly database: FileIdentity | undefined;
  readonly log: FileIdentity | undefined;
  readonly logIndex: FileIdentity | undefined;
}

/**
 * The files that stand at a store's path now; the log's are those of the file that a link leads to, or led to when the
 * store was opened. A link that leads elsewhere since then shows in the database's own identity.
 */
export function identifyStore(path: string, real: string = realPath(path)): StoreFiles {
  return {
    real,
    database: identifyFile(path),
    log: identifyFile(`${real}-wal`),
    logIndex: identifyFile(`${real}-shm`),
  };
}

/** Whether all files that a store was opened with are still in their places. */
export function isSameStore(opened: StoreFiles, now: StoreFiles): boolean {
  const isThere = (name: "log" | "logIndex"): boolean =>
    opened[name] === undefined || isSameFile(opened[name], now[name]);
  return isSameFile(opened.database, now.database) && isThere("log") && isThere("logIndex");
}

/**
 * Moves the log of a file that was replaced out of the way of the file that took its place: SQLite would read the one as
 * the other's. The log is kept, as `-wal.replaced`, since the file that was moved away lacks what it holds.
 *
 * @throws DeferredTurnsError `STORE_READONLY` or `STORE_FAILED` when it cannot be moved
 */
export function setAsideLog(path: string, opened: StoreFiles): void {
  const now = identifyStore(path);
  if (isSameFile(opened.database, now.database)) return;
  const real = realPath(path);
  onFile(path, () => {
    if (isSameFile(opened.log, now.log)) renameSync(`${real}-wal`, `${real}-wal.replaced`);
    if (isSameFile(opened.logIndex, now.logIndex)) rmSync(`${real}-shm`);
  });
}

/**
 * Refuses what is no regular file before it is opened: opening a named pipe would wait for its other end, and opening a
 * device would write into it.
 *
 * @throws DeferredTurnsError `STORE_FAILED`
 */
export function requireRegularFile(path: string): void {
  const found = onFile(path, () => statSync(path));
  if (found.isFile()) return;
  const message = `${path} is ${kindOf(found)}, so it cannot be a controller store. It was left as it is; name a file instead.`;
  throw new DeferredTurnsError({ code: "STORE_FAILED", message });
}

/** Whether a link stands at the path that leads to no file. */
export function isDanglingLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true && !existsSync(path);
}

/**
 * Whether the write-ahead log of a database holds anything. Where it does not, a connection that reads, and may write,
 * takes the log away when it is closed and leaves the database as it is.
 */
export function holdsLog(path: string): boolean {
  const log = onFile(path, () => statSync(`${realPath(path)}-wal`, { throwIfNoEntry: false }));
  return log !== undefined && log.size > 0;
}

/**
 * Asks whether the folder of a store may be written to: SQLite makes the log beside a store even to read it.
 *
 * @throws DeferredTurnsError `STORE_READONLY` when it may not
 */
export function requireWritableFolder(path: string): void {
  let folder = dirname(path);
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  onFile(path, () => accessSync(folder, constants.W_OK));
}

/**
 * Creates an empty file that only its owner may read (0600), with the folders it needs (0700). What is there already
 * keeps its permissions. An existing database must not be opened here, not even to look at it: closing a second
 * descriptor would drop the locks that SQLite holds on it in this process.
 *
 * @throws DeferredTurnsError `STORE_READONLY` or `STORE_FAILED` when the file or a folder cannot be made
 */
export function createStoreFile(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    createEmpty(path);
  } catch (error) {
    // In a file system that is read-only Node says of a folder that it is not there.
    requireWritableFolder(path);
    throw asStoreFileError(error, path);
  }
}

function createEmpty(path: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    // Another process was faster.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

/** Where a link leads; the path itself where nothing is. */
function realPath(path: string): string {
  return identifyFile(path) === undefined ? path : onFile(path, () => realpathSync.native(path));
}

function kindOf(found: Stats): string {
  if (found.isDirectory()) return "a folder";
  if (found.isFIFO()) return "a named pipe";
  return found.isSocket() ? "a socket" : "a device";
}

function onFile<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw asStoreFileError(error, path);
  }
}
