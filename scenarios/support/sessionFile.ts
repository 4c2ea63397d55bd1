import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type CustomMessageEntry, parseSessionEntries, type SessionEntry } from "@earendil-works/pi-coding-agent";

/** The entries of a session file, without its header; none while the file does not exist. */
export function readSessionEntries(path: string): readonly SessionEntry[] {
  if (!existsSync(path)) return [];
  return parseSessionEntries(readFileSync(path, "utf8")).filter((entry) => entry.type !== "session");
}

/** The id of the session in a file. */
export function sessionIdOf(path: string): string {
  const header = parseSessionEntries(readFileSync(path, "utf8")).find((entry) => entry.type === "session");
  if (header === undefined) throw new Error(`The session file ${path} has no header.`);
  return header.id;
}

/** The session files in a directory, oldest first: their names begin with the time. */
export function sessionFiles(sessionDir: string): readonly string[] {
  const names = readdirSync(sessionDir).filter((name) => name.endsWith(".jsonl"));
  return names.sort().map((name) => join(sessionDir, name));
}

/** The entries of the newest session in a directory; none while there is no session file. */
export function newestSessionEntries(sessionDir: string): readonly SessionEntry[] {
  const newest = sessionFiles(sessionDir).at(-1);
  return newest === undefined ? [] : readSessionEntries(newest);
}

/** The custom messages of one type among a session's entries. */
export function customMessages(entries: readonly SessionEntry[], customType: string): readonly CustomMessageEntry[] {
  return entries.filter((entry) => entry.type === "custom_message").filter((entry) => entry.customType === customType);
}
