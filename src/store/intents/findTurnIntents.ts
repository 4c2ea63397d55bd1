import type { NamedStatement, StoreConnection } from "../database/connection.ts";
import { requireKeys, requireLimit } from "../storeArguments.ts";

/** Which ids a search finds. */
export interface FindTurnIntentIds {
  /** The beginning of the ids, 1 to 512 characters. */
  readonly prefix: string;
  /** The most ids, 1 to 100. */
  readonly limit: number;
}

/** No text of an id stands behind it. */
const LAST_CHARACTER = "\u{10ffff}";

/** The search for intents of which a person has typed the beginning of the id. */
export class TurnIntentFinder {
  readonly #connection: StoreConnection;
  readonly #find: NamedStatement<{ readonly intent_id: unknown }>;

  constructor(connection: StoreConnection) {
    this.#connection = connection;
    this.#find = connection.prepare(
      `SELECT intent_id FROM workflow_turn_intents
       WHERE intent_id >= +:prefix AND intent_id < +:end ORDER BY intent_id LIMIT +:limit`,
    );
  }

  find({ prefix, limit }: FindTurnIntentIds): readonly string[] {
    requireKeys({ prefix });
    requireLimit(limit);
    const end = prefix + LAST_CHARACTER;
    return this.#connection.read(() =>
      this.#find.all({ prefix, end, limit }).map(({ intent_id }) => String(intent_id)),
    );
  }
}
