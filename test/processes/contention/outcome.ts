import { readFileSync } from "node:fs";
import Database from "better-sqlite3";
import { turnIntentIdIn } from "../../../src/contracts/messageDetails.ts";
import { integrityOf } from "../support/integrity.ts";
import { type ClaimCounts, readClaimCounts, readClaims } from "./claimAudit.ts";
import { type Plan, sessionFile, sessionIds, storePath } from "./plan.ts";

/** What the store and the sessions' files say in the end. */
export interface Outcome extends ClaimCounts {
  readonly intents: number;
  readonly unresolved: number;
  /** How many intents each path resolved. */
  readonly resolutions: Readonly<Record<string, number>>;
  /** Messages in the sessions' files that carry an intent's id. */
  readonly messages: number;
  /** The intents with more than one message, each with what its claims and messages tell. */
  readonly doubleMessages: readonly string[];
  /** Intents without a message. */
  readonly missingMessages: number;
  /** What is damaged in the database. */
  readonly damages: readonly string[];
}

export function readOutcome(plan: Plan): Outcome {
  const path = storePath(plan);
  const rows = readRows(path);
  const messages = sessionIds(plan).flatMap((id) => messagesIn(sessionFile(plan, id)));
  const copies = countsOf(messages.map(({ intentId }) => intentId));
  return {
    ...readClaimCounts(path),
    intents: rows.length,
    unresolved: rows.filter(({ resolution }) => resolution === null).length,
    resolutions: Object.fromEntries(countsOf(rows.flatMap(({ resolution }) => resolution ?? []))),
    messages: messages.length,
    doubleMessages: [...copies.keys()]
      .filter((id) => copies.get(id) !== 1)
      .map((id) =>
        historyOf(
          path,
          id,
          messages.filter(({ intentId }) => intentId === id),
        ),
      ),
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

/** A message in a session's file, and when it was handed over and taken in, epoch milliseconds. */
interface Message {
  readonly intentId: string;
  readonly sentAt: number;
  readonly takenInAt: number;
}

/** The messages in a session's file that carry an intent's id. Throws for a line that is not whole. */
function messagesIn(file: string): readonly Message[] {
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  return lines.flatMap((line) => {
    const entry = JSON.parse(line) as Omit<Message, "intentId"> & { readonly details?: unknown };
    const intentId = turnIntentIdIn(entry.details);
    return intentId === undefined ? [] : { ...entry, intentId };
  });
}

/** What happened to one intent, in milliseconds from its first claim. */
function historyOf(path: string, intentId: string, messages: readonly Message[]): string {
  const claims = readClaims(path, intentId);
  const start = claims[0]?.beginsAt ?? 0;
  return [
    ...claims.map(({ beginsAt, expiresAt }) => `claimed from ${beginsAt - start} to ${expiresAt - start} ms`),
    ...messages.map(({ sentAt, takenInAt }) => `sent at ${sentAt - start}, taken in at ${takenInAt - start} ms`),
  ].join("; ");
}

function countsOf(words: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
