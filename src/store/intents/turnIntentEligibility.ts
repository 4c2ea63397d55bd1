import type { DeferredTurnFacts } from "../../../generated/contracts.ts";
import { formatTimestamp } from "../../contracts/timestamp.ts";
import type { NamedStatement, StoreConnection } from "../database/connection.ts";
import { requireKeys } from "../storeArguments.ts";
import type { TurnIntentRows } from "./turnIntentRows.ts";

/** Which intent to open to a fallback. */
export interface MakeTurnIntentEligible {
  /** The intent, 1 to 512 characters. */
  readonly intentId: string;
  /** What durable state shows now. They repeat the row's run, cause, node and attempt. */
  readonly fallbackFacts?: DeferredTurnFacts;
}

/** Opens intents to a fallback, once durable state shows that no natural successor is near. */
export class TurnIntentEligibility {
  readonly #connection: StoreConnection;
  readonly #rows: TurnIntentRows;
  readonly #makeRunEligible: NamedStatement<unknown>;

  constructor(connection: StoreConnection, rows: TurnIntentRows) {
    this.#connection = connection;
    this.#rows = rows;
    this.#makeRunEligible = connection.prepare(
      `UPDATE workflow_turn_intents SET eligible_at = :eligibleAt
       WHERE run_id = :runId AND resolved_at IS NULL AND eligible_at IS NULL`,
    );
  }

  make({ intentId, fallbackFacts: facts }: MakeTurnIntentEligible): boolean {
    requireKeys({ intentId });
    return this.#connection.write((now) => this.#rows.tell({ intentId, eligible: true, facts, now }) !== undefined);
  }

  makeForRun({ runId }: { readonly runId: string }): number {
    requireKeys({ runId });
    return this.#connection.write(
      (now) => this.#makeRunEligible.run({ runId, eligibleAt: formatTimestamp(now) }).changes,
    );
  }
}
