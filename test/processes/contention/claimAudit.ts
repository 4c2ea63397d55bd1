import Database from "better-sqlite3";
import { LEASE_MS } from "./plan.ts";

/** How claims went: how many were made, how many took over a lapsed one, and how many overlapped another's. */
export interface ClaimCounts {
  readonly claims: number;
  readonly takeovers: number;
  readonly doubleClaims: number;
}

/**
 * Lets the database itself keep a log of claims: no claim is missing from it, not even one whose process died right
 * after. A claim's interval begins a lease before it expires.
 */
const AUDIT = `
CREATE TABLE claim_audit (
  seq INTEGER PRIMARY KEY, intent_id TEXT NOT NULL, token TEXT NOT NULL, begins_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL, token_before TEXT, expires_before INTEGER);
CREATE TRIGGER claim_audit_of_claims AFTER UPDATE ON workflow_turn_intents
WHEN NEW.delivery_claim_token IS NOT NULL AND NEW.delivery_claim_token IS NOT OLD.delivery_claim_token
BEGIN
  INSERT INTO claim_audit (intent_id, token, begins_at, expires_at, token_before, expires_before)
  VALUES (NEW.intent_id, NEW.delivery_claim_token, NEW.delivery_claim_expires_at - ${LEASE_MS},
    NEW.delivery_claim_expires_at, OLD.delivery_claim_token, OLD.delivery_claim_expires_at);
END;`;

const COUNTS = `
SELECT count(*) AS claims, count(token_before) AS takeovers,
  count(*) FILTER (WHERE token_before IS NOT NULL AND begins_at < expires_before) AS doubleClaims
FROM claim_audit`;

/** Begins the log in a store. */
export function auditClaims(path: string): void {
  const database = new Database(path);
  try {
    database.exec(AUDIT);
  } finally {
    database.close();
  }
}

/** What the log says of all claims since. */
export function readClaimCounts(path: string): ClaimCounts {
  const counts = reading(path, (database) => database.prepare<[], ClaimCounts>(COUNTS).get());
  if (counts === undefined) throw new Error("The audit of claims has no answer.");
  return counts;
}

/** The claims of one intent, in their order; when each began and expired, epoch milliseconds. */
export function readClaims(
  path: string,
  intentId: string,
): readonly { readonly beginsAt: number; readonly expiresAt: number }[] {
  const sql = "SELECT begins_at AS beginsAt, expires_at AS expiresAt FROM claim_audit WHERE intent_id = ? ORDER BY seq";
  return reading(path, (database) =>
    database.prepare<[string], { readonly beginsAt: number; readonly expiresAt: number }>(sql).all(intentId),
  );
}

function reading<Result>(path: string, work: (database: Database.Database) => Result): Result {
  const database = new Database(path, { readonly: true });
  try {
    return work(database);
  } finally {
    database.close();
  }
}
