import { readFileSync } from "node:fs";
import type { SessionEntryView } from "../turns/session.ts";

/**
 * Reads the entries that a session file has now: one JSON object a line, after the session's header. A line that is not
 * one yet, because another process is just writing it, is passed over. A file that is not there has no entries.
 */
export function readSessionFile(path: string): readonly SessionEntryView[] {
  return readIfPresent(path)
    .split("\n")
    .map(parseLine)
    .filter((entry) => entry !== undefined);
}

function readIfPresent(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}

function parseLine(line: string): SessionEntryView | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isEntry(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isEntry(value: unknown): value is SessionEntryView {
  if (typeof value !== "object" || value === null) return false;
  const { type } = value as { readonly type?: unknown };
  return typeof type === "string" && type !== "session";
}
