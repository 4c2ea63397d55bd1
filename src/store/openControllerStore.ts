import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { ControllerStore, type OpenStore } from "./controllerStore.ts";
import { StoreConnection } from "./database/connection.ts";
import { openDatabase } from "./database/openDatabase.ts";
import { loosePermissions } from "./filePermissions.ts";
import { type FileSystemTypeOf, fileSystemType, judgeFileSystem } from "./fileSystems.ts";
import { invalid, requireInteger } from "./storeArguments.ts";
import type { StoreDiagnostic } from "./storeDiagnostics.ts";
import { storeParts } from "./storeParts.ts";

/** How long a call waits for the lock of another process unless told otherwise, milliseconds. */
export const DEFAULT_BUSY_TIMEOUT_MS = 200;

/** SQLite's own bound of 512, less the ending of a journal. */
const PATH_MAX_BYTES = 504;

/** Which store to open, and how. */
export interface OpenControllerStoreOptions {
  /** The database file. */
  readonly path: string;
  /** Opens a complete store to read it and creates nothing. Default false. */
  readonly readonly?: boolean;
  /**
   * The most that one call waits for the locks of other processes, milliseconds, 0 to 60,000; SQLite may exceed it by a
   * twentieth. Default 200: calls block the thread, and a person waits behind them.
   */
  readonly busyTimeoutMs?: number;
  /** Epoch milliseconds. Default `Date.now`. */
  readonly now?: () => number;
  /** Told, once each, of what the store meets that stops nobody. */
  readonly onDiagnostic?: (diagnostic: StoreDiagnostic) => void;
  /** Tells the type of the file system on which a file lies. By default the system is asked. */
  readonly fileSystemType?: FileSystemTypeOf;
}

/**
 * Opens the controller store at a path. A file that is not there is created for its owner alone. An existing store is
 * joined: it gets the tables that it lacks, and `workflow_turn_intents` the indexes, guards and views of this version; rows and
 * other programs' tables stay as they are, and so do the modes of its files: those that let other users in are reported
 * as `LOOSE_PERMISSIONS`. A store that lacks nothing is not written to
 * (the specification, sections Stored record and Compatibility).
 *
 * @throws DeferredTurnsError `INVALID_ARGUMENT`; `INCOMPATIBLE_STORE` for a file that is no controller store of this
 * version; `LEGACY_LAUNCH_FAILURES` for undelivered notifications of an earlier alpha; `STORE_BUSY`; `STORE_READONLY`
 * for a file or folder that cannot be written; `STORE_REPLACED` when the file changed under the opening; `STORE_FAILED`
 * for a damaged file, a full disk, or what is no file. A file that is refused stays byte for byte as it was. Damage is
 * looked for in stores of up to 8 MiB; in larger ones it is reported when it is met.
 */
export function openControllerStore(options: OpenControllerStoreOptions): ControllerStore {
  const { readonly = false, busyTimeoutMs = DEFAULT_BUSY_TIMEOUT_MS, now = Date.now, onDiagnostic = ignore } = options;
  const { fileSystemType: typeOf = fileSystemType } = options;
  requireInteger({ name: "busyTimeoutMs", value: busyTimeoutMs, min: 0, max: 60_000 });
  const path = absolutePath(options.path);
  return new ControllerStore(path, () =>
    openStore({ path, readonly, busyTimeoutMs, now, onDiagnostic, fileSystemType: typeOf }),
  );
}

/** The path as SQLite can open it. Throws INVALID_ARGUMENT for one that it would not open, or would take for another. */
function absolutePath(given: unknown): string {
  if (typeof given !== "string" || given === "" || given === ":memory:") {
    throw invalid("path", "name a file; a store in memory could not be shared with other processes");
  }
  const path = resolve(given);
  if (path.includes("\0") || path.trim() !== path)
    throw invalid("path", "leave out U+0000, and white space at the end");
  if (Buffer.byteLength(path) <= PATH_MAX_BYTES) return path;
  throw invalid("path", `SQLite opens paths of at most ${PATH_MAX_BYTES} bytes, and this one is longer`);
}

function openStore(options: Required<OpenControllerStoreOptions>): OpenStore {
  const { path, onDiagnostic } = options;
  const { database, files, findings } = openDatabase(options);
  const connection = new StoreConnection(database, options);
  try {
    const parts = connection.call(() => storeParts(connection, onDiagnostic));
    const network = judgeFileSystem(path, options.fileSystemType(path));
    const diagnostics = findings.map((finding) => diagnosticOf(finding, path));
    const loose = loosePermissions(realpathSync.native(path)) ?? [];
    for (const diagnostic of [...diagnostics, ...network.diagnostics].concat(loose)) onDiagnostic(diagnostic);
    return { ...parts, connection, files, findings: [...diagnostics, ...network.findings] };
  } catch (error) {
    connection.close();
    throw error;
  }
}

function diagnosticOf(finding: "duplicatePendingIntents", path: string): StoreDiagnostic {
  const messages = {
    duplicatePendingIntents: {
      code: "DUPLICATE_PENDING_INTENTS",
      message:
        `The controller store ${path} holds runs with two unresolved turn intents for one session, which an older program left. ` +
        "Each starts its turn; when they are resolved, the next opening makes the index that keeps new ones away.",
    },
  } as const;
  return messages[finding];
}

function ignore(): void {
  // Who gives no listener wants no diagnostics.
}
