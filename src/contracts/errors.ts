/**
 * What went wrong, as a program can tell it apart. A code never changes its meaning; the sentence of an error may be
 * reworded at any time.
 */
export type DeferredTurnsErrorCode =
  /** An argument is out of its bounds: correct the call. Nothing was done. */
  | "INVALID_ARGUMENT"
  /** A value breaks its contract (facts, message details, keys, causes): `path` names the place. Nothing was stored. */
  | "CONTRACT_VIOLATION"
  /** An intent id does not stand for its parts, or is taken by an intent with other immutable facts. Nothing was stored. */
  | "IDENTITY_CONFLICT"
  /** The file is not a controller store of this version, or its layout differs. It was left as it is: move it away. */
  | "INCOMPATIBLE_STORE"
  /** The store holds undelivered `launch_failure` rows of an earlier alpha. It was left as it is: reset the store. */
  | "LEGACY_LAUNCH_FAILURES"
  /** Another process held the lock for longer than this call waits: try again at the next pass. Nothing was stored. */
  | "STORE_BUSY"
  /** The store was opened to be read, or its file or folder cannot be written. Nothing was stored. */
  | "STORE_READONLY"
  /** The file that was opened is no longer the one at its path: reopen the store and ensure again what is owed. */
  | "STORE_REPLACED"
  /** SQLite failed in another way, such as a full disk or a damaged file; `cause` holds its error. */
  | "STORE_FAILED"
  /** SQLite rolled the transaction back before its work was done: let the first error end it, then start again. */
  | "TRANSACTION_ENDED"
  /** Another process took a run over: this one writes nothing more for it, and the new owner owes its turns. */
  | "RUN_CLAIM_LOST"
  /** A stored row breaks its contract and cannot be read: `path` names the column. Other rows are unaffected. */
  | "CORRUPT_ROW"
  /** No usable name, or no file of that name in the folders of workflow definitions. */
  | "DEFINITION_NOT_FOUND"
  /** A workflow definition is broken: the sentence names its file and the reason, `path` the place in the file. */
  | "DEFINITION_INVALID"
  /** The input of a run does not match the workflow's input schema: `path` names the place in the input. */
  | "INPUT_INVALID"
  /** A template names a value that the run does not have, or its text became too long. */
  | "TEMPLATE_FAILED";

/** What a `DeferredTurnsError` is made of. */
export interface DeferredTurnsErrorOptions {
  /** What went wrong, for a program to tell apart. */
  readonly code: DeferredTurnsErrorCode;
  /** A sentence for the person who must act: what was wrong, where, and what to do. */
  readonly message: string;
  /** The offending value, as a JSON pointer into what was passed, such as `/fallbackFacts/reason`. */
  readonly path?: string | undefined;
  /** The error that led to this one. */
  readonly cause?: unknown;
}

/** Every error that this package throws on purpose. */
export class DeferredTurnsError extends Error {
  /** What went wrong, for a program to tell apart. */
  readonly code: DeferredTurnsErrorCode;
  /** Where the offending value stands, as a JSON pointer; undefined where no single value is at fault. */
  readonly path: string | undefined;

  constructor({ code, message, path, cause }: DeferredTurnsErrorOptions) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "DeferredTurnsError";
    this.code = code;
    this.path = path;
  }
}
