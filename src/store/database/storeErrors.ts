import { DeferredTurnsError, type DeferredTurnsErrorCode } from "../../contracts/errors.ts";

/** An error of SQLite as better-sqlite3 throws it, or of the file system: both carry a code. */
type CodedError = Error & { readonly code: string };

type Explanations = readonly (readonly [prefix: string, explanation: Explanation])[];

interface Explanation {
  readonly code: DeferredTurnsErrorCode;
  readonly explain: (path: string, error: CodedError) => string;
}

/** By the beginning of the code; the first that fits counts, so the special stands before the general. */
const SQLITE_ERRORS: Explanations = [
  ["SQLITE_BUSY", { code: "STORE_BUSY", explain: isLocked }],
  ["SQLITE_LOCKED", { code: "STORE_BUSY", explain: isLocked }],
  ["SQLITE_READONLY_DBMOVED", { code: "STORE_REPLACED", explain: isReplaced }],
  ["SQLITE_READONLY", { code: "STORE_READONLY", explain: isReadOnly }],
  ["SQLITE_FULL", { code: "STORE_FAILED", explain: isFull }],
  ["SQLITE_IOERR_SHMSIZE", { code: "STORE_FAILED", explain: isFull }],
  ["SQLITE_CORRUPT", { code: "STORE_FAILED", explain: isDamaged }],
  ["SQLITE_NOTADB", { code: "INCOMPATIBLE_STORE", explain: isNoDatabase }],
  ["SQLITE_CONSTRAINT", { code: "CONTRACT_VIOLATION", explain: isRefused }],
  ["SQLITE_", { code: "STORE_FAILED", explain: hasFailed }],
];

const FILE_ERRORS: Explanations = [
  ["EACCES", { code: "STORE_READONLY", explain: isReadOnly }],
  ["EPERM", { code: "STORE_READONLY", explain: isReadOnly }],
  ["EROFS", { code: "STORE_READONLY", explain: isReadOnly }],
  ["ENOSPC", { code: "STORE_FAILED", explain: isFull }],
  ["E", { code: "STORE_FAILED", explain: hasFailed }],
];

/**
 * Turns an error of SQLite into one that says what it means for the store at `path`. Other errors, such as those of a
 * caller's own code inside a transaction, are returned as they are.
 */
export function asStoreError(error: unknown, path: string): unknown {
  return explained(error, path, SQLITE_ERRORS);
}

/** Turns an error of the file system, met while the store's file was made, into one that says what it means. */
export function asStoreFileError(error: unknown, path: string): unknown {
  return explained(error, path, FILE_ERRORS);
}

/** Whether another process is in the way, so that trying again can help. */
export function isBusy(error: unknown): boolean {
  return isCoded(error) && error.code.startsWith("SQLITE_BUSY");
}

/** Whether SQLite could not open the database or make the files that it needs beside it. */
export function isUnopenable(error: unknown): boolean {
  return isCoded(error) && error.code.startsWith("SQLITE_CANTOPEN");
}

/** The error of a store in which SQLite found damage. Says what was found, and how the rows can be saved. */
export function damagedStore(path: string, found: string): DeferredTurnsError {
  return new DeferredTurnsError({ code: "STORE_FAILED", message: damage(path, found) });
}

/** The way out of a store that cannot be used: its files are moved away and a new store is made. */
export function resetInstruction(path: string): string {
  return (
    `The file was left as it is. To start with a new store, stop every Pi session that uses it, move ${path} away ` +
    "together with the -wal and -shm files beside it, and start Pi again; runs and intents that only the old file holds stay there."
  );
}

function explained(error: unknown, path: string, explanations: Explanations): unknown {
  if (!isCoded(error)) return error;
  const explanation = explanations.find(([prefix]) => error.code.startsWith(prefix))?.[1];
  if (explanation === undefined) return error;
  return new DeferredTurnsError({ code: explanation.code, message: explanation.explain(path, error), cause: error });
}

function isCoded(error: unknown): error is CodedError {
  if (!(error instanceof Error) || error instanceof DeferredTurnsError) return false;
  return "code" in error && typeof error.code === "string";
}

function isLocked(path: string): string {
  return `Another process holds the lock of the controller store ${path} for longer than this call waits; try again shortly.`;
}

function isReplaced(path: string): string {
  return `The controller store ${path} was moved or deleted while it was open; reopen it and store again what is owed.`;
}

function isReadOnly(path: string, { message }: CodedError): string {
  return `The controller store ${path} cannot be written (${message}); check how it was opened and who may write to the file and its folder.`;
}

function isFull(path: string): string {
  return `The disk that holds the controller store ${path} is full; nothing was stored. Make room and try again.`;
}

function isDamaged(path: string, { message }: CodedError): string {
  return damage(path, message);
}

function damage(path: string, found: string): string {
  return `The controller store ${path} is damaged (${found}). Restore it from a backup, or stop every Pi session, run "sqlite3 '${path}' .recover | sqlite3 '${path}.recovered'", see that the new file has the rows, and put it in the place of the old one and its -wal and -shm files. ${resetInstruction(path)}`;
}

function isNoDatabase(path: string): string {
  return `${path} is not a SQLite database, so it cannot be a controller store. ${resetInstruction(path)}`;
}

function isRefused(path: string, { message }: CodedError): string {
  return `The controller store ${path} refused a row that breaks its contract: ${message}. Nothing was stored.`;
}

function hasFailed(path: string, { code, message }: CodedError): string {
  return `The controller store ${path} failed with ${code}: ${message}. Check the file, its folder and its disk.`;
}
