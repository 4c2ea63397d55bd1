import type { StoreConnection } from "./connection.ts";
import { TurnIntentEnsurer } from "./ensureTurnIntent.ts";
import { TurnIntentListing } from "./listTurnIntents.ts";
import { RunEvents } from "./runEvents.ts";
import { RunQueue } from "./runQueue.ts";
import { RunRows } from "./runRows.ts";
import type { StoreDiagnostic } from "./storeDiagnostics.ts";
import { TurnIntentClaims } from "./turnIntentClaims.ts";
import { TurnIntentEligibility } from "./turnIntentEligibility.ts";
import { TurnIntentRows } from "./turnIntentRows.ts";

/** The operations of a store by their subject, each with its statements prepared. */
export interface StoreParts {
  readonly intents: TurnIntentRows;
  readonly ensurer: TurnIntentEnsurer;
  readonly eligibility: TurnIntentEligibility;
  readonly claims: TurnIntentClaims;
  readonly listing: TurnIntentListing;
  readonly runs: RunQueue;
  readonly events: RunEvents;
}

/** Prepares all operations on an open connection. */
export function storeParts(connection: StoreConnection, report: (diagnostic: StoreDiagnostic) => void): StoreParts {
  const intents = new TurnIntentRows(connection, report);
  const events = new RunEvents(connection, report);
  return {
    intents,
    events,
    ensurer: new TurnIntentEnsurer(connection, intents),
    eligibility: new TurnIntentEligibility(connection, intents),
    claims: new TurnIntentClaims(connection, intents),
    listing: new TurnIntentListing(connection, intents),
    runs: new RunQueue(connection, new RunRows(connection, report), events),
  };
}
