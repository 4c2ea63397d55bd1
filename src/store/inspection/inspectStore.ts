import type Database from "better-sqlite3";
import { findDamage } from "../database/integrity.ts";
import { hasDuplicatePendingIntents } from "../database/joinStore.ts";
import { openDatabase } from "../database/openDatabase.ts";
import { INTENTS_TABLE, type PartDesign, storeDesign, storedSqlOf } from "../database/storeDesign.ts";
import { asStoreError, damagedStore } from "../database/storeErrors.ts";
import { LEASE_MAX_MS } from "../intents/claimLease.ts";
import { type UnreadableRow, unreadableRows } from "./unreadableRows.ts";

/** A part of the layout that a store lacks, or has in the form of another version. */
export interface PartFlaw {
  readonly kind: "index" | "guard" | "view";
  readonly name: string;
  readonly flaw: "missing" | "outdated";
}

/** Everything about a store that only a look at the whole of it can tell. */
export interface StoreInspection {
  readonly journalMode: string;
  /** How many rows each table has. */
  readonly rows: Readonly<Record<string, number>>;
  readonly partFlaws: readonly PartFlaw[];
  readonly hasDuplicatePendingIntents: boolean;
  readonly unreadable: readonly UnreadableRow[];
  /** Unresolved intents whose claim ran out: their claimant went away, or is suspended. */
  readonly lapsedClaims: readonly LapsedClaim[];
}

export interface LapsedClaim {
  readonly intentId: string;
  readonly targetSessionId: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/** How a store is looked at. */
export interface InspectStoreOptions {
  readonly path: string;
  readonly busyTimeoutMs: number;
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * Looks at all of a store, whatever its size, without a change to it and without a lock that would stop a writer.
 *
 * @throws DeferredTurnsError what `openControllerStore` throws for a store that is opened to be read, and `STORE_FAILED`
 * for a damaged one
 */
export function inspectStore({ path, busyTimeoutMs, now }: InspectStoreOptions): StoreInspection {
  const { database } = openDatabase({ path, readonly: true, busyTimeoutMs });
  try {
    const damage = findDamage(database);
    if (damage !== undefined) throw damagedStore(path, damage);
    return {
      journalMode: String(database.pragma("journal_mode", { simple: true })),
      rows: Object.fromEntries(storeDesign().tables.map(({ name }) => [name, rowsIn(database, name)])),
      partFlaws: partFlaws(database),
      hasDuplicatePendingIntents: hasDuplicatePendingIntents(database, storeDesign()),
      unreadable: unreadableRows(database),
      lapsedClaims: lapsedClaims(database, now),
    };
  } catch (error) {
    throw asStoreError(error, path);
  } finally {
    database.close();
  }
}

function rowsIn(database: Database.Database, table: string): number {
  return Number(database.prepare(`SELECT count(*) FROM "${table}"`).pluck().get());
}

/** Indexes of the other tables are their programs' own affair. */
function partFlaws(database: Database.Database): readonly PartFlaw[] {
  const { indexes, triggers, views } = storeDesign();
  const flawsOf = (kind: PartFlaw["kind"], parts: readonly PartDesign[]): readonly PartFlaw[] =>
    parts.flatMap(({ name, storedSql }) => {
      const stored = storedSqlOf(database, name);
      if (stored === storedSql) return [];
      return [{ kind, name, flaw: stored === undefined ? "missing" : "outdated" }];
    });
  return [
    ...flawsOf(
      "index",
      indexes.filter(({ table }) => table === INTENTS_TABLE),
    ),
    ...flawsOf("guard", triggers),
    ...flawsOf("view", views),
  ];
}

function lapsedClaims(database: Database.Database, now: number): readonly LapsedClaim[] {
  return database
    .prepare<[{ readonly now: number }], LapsedClaim>(
      `SELECT CAST(intent_id AS TEXT) AS intentId, CAST(target_session_id AS TEXT) AS targetSessionId,
         delivery_claim_expires_at AS expiresAt
       FROM workflow_turn_intents
       WHERE resolved_at IS NULL AND delivery_claim_token IS NOT NULL
         AND delivery_claim_expires_at NOT BETWEEN :now + 1 AND :now + ${LEASE_MAX_MS}
       ORDER BY run_id, target_session_id, rowid`,
    )
    .all({ now });
}
