import { readFileSync } from "node:fs";
import Database from "better-sqlite3";
import { turnIntentIdIn } from "../../../src/contracts/messageDetails.ts";
import { integrityOf } from "../support/integrity.ts";
import { type ClaimCounts, readClaimCounts } from "./claimAudit.ts";
import { type Plan, sessionFile, sessionIds, storePath } from "./plan.ts";

/** What the store and the sessions' files say in the end. */
export interface Outcome extends ClaimCounts {
  readonly intents: number;
  readonly unresolved: number;
  /** How many intents each path resolved. */
  readonly resolutions: Readonly<Record<string, number>>;
  /** Messages in the sessions' files that carry an intent's id. */
  readonly messages: number;
  /** Intents with more than one message. */
  readonly doubleMessages: number;
  /** Intents without a message. */
  readonly missingMessages: number;
  /** What is damaged in the database. */
  readonly damages: readonly string[];
}

export function readOutcome(plan: Plan): Outcome {
  const path = storePath(plan);
  const rows = readRows(path);
  const messages = sessionIds(plan).flatMap((id) => intentIdsIn(sessionFile(plan, id)));
  const copies = countsOf(messages);
  return {
    ...readClaimCounts(path),
    intents: rows.length,
    unresolved: rows.filter(({ resolution }) => resolution === null).length,
    resolutions: Object.fromEntries(countsOf(rows.flatMap(({ resolution }) => resolution ?? []))),
    messages: messages.length,
    doubleMessages: [...copies.values()].filter((count) => count > 1).length,
    missingMessages: rows.filter(({ id }) => !copies.has(id)).length,
    damages: integrityOf(path),
  };
}

interface IntentRow {
  readonly id: string;
  readonly resolution: string | null;
}

function readRows(path: string): readonly IntentRow[] {
  const database = new Database(path, { readonly: true });
  try {
    return database.prepare<[], IntentRow>("SELECT intent_id AS id, resolution FROM workflow_turn_intents").all();
  } finally {
    database.close();
  }
}

/** The intents of the messages in a session's file. Throws for a line that is not whole. */
function intentIdsIn(file: string): readonly string[] {
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  return lines.flatMap((line) => turnIntentIdIn((JSON.parse(line) as { readonly details?: unknown }).details) ?? []);
}

function countsOf(words: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
