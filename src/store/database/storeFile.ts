import { closeSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
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
 * Creates an empty file that only its owner may read (0600), with the folders it needs (0700). What is there already
 * keeps its permissions. An existing database must not be opened here, not even to look at it: closing a second
 * descriptor would drop the locks that SQLite holds on it in this process.
 *
 * @throws DeferredTurnsError `STORE_READONLY` or `STORE_FAILED` when the file or a folder cannot be made
 */
export function createStoreFile(path: string): void {
  onFile(path, () => {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    createEmpty(path);
  });
}

function createEmpty(path: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    // Another process was faster.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

function onFile<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw asStoreFileError(error, path);
  }
}
