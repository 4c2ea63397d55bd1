import { type Stats, statSync } from "node:fs";
import { dirname } from "node:path";
import type { StoreDiagnostic } from "./storeDiagnostics.ts";

const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;
const STICKY = 0o1000;

/** What groups and other users may do. */
const OTHERS = 0o077;

/** A file or folder of a store that others may look into. */
interface LoosePlace {
  readonly path: string;
  readonly mode: number;
  /** What it should be. */
  readonly wanted: number;
  /** Whether the mode is this user's to change, and would hurt nobody else. */
  readonly isOwn: boolean;
}

/**
 * Tells of a store that other users of the machine may read or change: its folder, the database, or the log and the log's
 * index beside it. Nothing is changed: whoever set the modes may have wanted them. Undefined where all is private, and on
 * systems that have no modes.
 *
 * @param path the database file, without links
 */
export function loosePermissions(path: string): StoreDiagnostic | undefined {
  if (process.getuid === undefined) return undefined;
  const places = [
    looseness(dirname(path), PRIVATE_FOLDER),
    ...["", "-wal", "-shm"].map((ending) => looseness(path + ending, PRIVATE_FILE)),
  ].filter((place) => place !== undefined);
  if (places.length === 0) return undefined;
  const found = places.map(({ path, mode }) => `${path} has mode ${octal(mode)}`).join(", ");
  const message = `Other users of this machine may reach the controller store: ${found}. ${remedy(places)}`;
  return { code: "LOOSE_PERMISSIONS", message };
}

function looseness(path: string, wanted: number): LoosePlace | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || (found.mode & OTHERS) === 0) return undefined;
  return { path, mode: found.mode & 0o7777, wanted, isOwn: isOwn(found) };
}

/** A folder such as /tmp is everybody's, whoever owns it. */
function isOwn({ uid, mode }: Stats): boolean {
  return uid === process.getuid?.() && (mode & STICKY) === 0;
}

function remedy(places: readonly LoosePlace[]): string {
  const commands = places
    .filter(({ isOwn }) => isOwn)
    .map(({ path, wanted }) => `chmod ${octal(wanted)} '${path.replaceAll("'", "'\\''")}'`);
  const foreign = places.find(({ isOwn }) => !isOwn);
  return [
    ...(commands.length === 0 ? [] : [`To keep it to yourself, run: ${commands.join(" && ")}`]),
    ...(foreign === undefined
      ? []
      : [`${foreign.path} is not yours alone: have PI_WORKFLOWS_CONTROLLER_DIR name a folder that is.`]),
  ].join(" ");
}

function octal(mode: number): string {
  return mode.toString(8).padStart(3, "0");
}
