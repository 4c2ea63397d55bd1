import { type Dirent, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { turnIntentIdIn } from "../../contracts/messageDetails.ts";

/** A message that carries an intent, in the file of its session. */
export interface FoundMessage {
  readonly file: string;
  /** The line in the file, from 1. */
  readonly line: number;
  /** How many entries the session has. */
  readonly entries: number;
  /** How many of them carry the intent; more than one is a fault. */
  readonly copies: number;
  readonly customType: string;
  readonly timestamp: string | null;
  /** The id of the entry in the session. */
  readonly entryId: string | null;
}

/** What a look into a session found. */
export type SessionLook =
  | { readonly status: "found"; readonly message: FoundMessage }
  | { readonly status: "absent"; readonly file: string }
  /** No file of the session is known. */
  | { readonly status: "noFile" };

/**
 * Looks for the message that carries an intent in the file of its session.
 *
 * @throws what the file system says of a file that cannot be read
 */
export function lookInSession(file: string | undefined, intentId: string): SessionLook {
  if (file === undefined) return { status: "noFile" };
  const message = messageIn(file, intentId);
  return message === undefined ? { status: "absent", file } : { status: "found", message };
}

/** The file that Pi keeps a session in, where it is in the folders that Pi's environment names or that it uses by default. */
export function findSessionFile(sessionId: string, environment: NodeJS.ProcessEnv): string | undefined {
  const named = environment["PI_CODING_AGENT_SESSION_DIR"] ?? "";
  const inNamed = named === "" ? undefined : fileOf(sessionId, named);
  return inNamed ?? findInProjects(sessionId, environment);
}

function findInProjects(sessionId: string, environment: NodeJS.ProcessEnv): string | undefined {
  const agentFolder = environment["PI_CODING_AGENT_DIR"] ?? join(homedir(), ".pi", "agent");
  const sessions = join(agentFolder, "sessions");
  for (const project of entriesOf(sessions)) {
    const folder = join(sessions, project.name);
    const file = project.isDirectory() ? fileOf(sessionId, folder) : undefined;
    if (file !== undefined) return file;
  }
  return undefined;
}

function fileOf(sessionId: string, folder: string): string | undefined {
  const found = entriesOf(folder).find(({ name }) => name.endsWith(`_${sessionId}.jsonl`));
  return found && join(folder, found.name);
}

/** Sessions of other users, and a Pi that was never started, have no folders to look into. */
function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

interface Entry {
  readonly line: number;
  readonly value: Readonly<Record<string, unknown>>;
}

function messageIn(file: string, intentId: string): FoundMessage | undefined {
  const entries = readFileSync(file, "utf8").split("\n").flatMap(entryOf);
  const carrying = entries.filter(
    ({ value }) => value["type"] === "custom_message" && turnIntentIdIn(value["details"]) === intentId,
  );
  const [first] = carrying;
  if (first === undefined) return undefined;
  return {
    file,
    line: first.line,
    entries: entries.length,
    copies: carrying.length,
    customType: textIn(first.value["customType"]) ?? "",
    timestamp: textIn(first.value["timestamp"]),
    entryId: textIn(first.value["id"]),
  };
}

/** A line is an entry, but for the header of the file and a line that Pi is just writing. */
function entryOf(text: string, place: number): readonly Entry[] {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || !("type" in value) || value.type === "session") return [];
    return [{ line: place + 1, value: value as Readonly<Record<string, unknown>> }];
  } catch {
    return [];
  }
}

function textIn(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
