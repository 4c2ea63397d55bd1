import type { StoreConnection } from "./database/connection.ts";
import { TurnIntentEnsurer } from "./intents/ensureTurnIntent.ts";
import { TurnIntentFinder } from "./intents/findTurnIntents.ts";
import { TurnIntentFollower } from "./intents/followTurnIntents.ts";
import { TurnIntentListing } from "./intents/listTurnIntents.ts";
import { TurnIntentClaims } from "./intents/turnIntentClaims.ts";
import { TurnIntentEligibility } from "./intents/turnIntentEligibility.ts";
import { TurnIntentRows } from "./intents/turnIntentRows.ts";
import { RunEvents } from "./runs/runEvents.ts";
import { RunQueue } from "./runs/runQueue.ts";
import { RunRows } from "./runs/runRows.ts";
import type { StoreDiagnostic } from "./storeDiagnostics.ts";

/** The operations of a store by their subject, each with its statements prepared. */
export interface StoreParts {
  readonly intents: TurnIntentRows;
  readonly ensurer: TurnIntentEnsurer;
  readonly eligibility: TurnIntentEligibility;
  readonly claims: TurnIntentClaims;
  readonly listing: TurnIntentListing;
  readonly finder: TurnIntentFinder;
  readonly follow: () => TurnIntentFollower;
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
    finder: new TurnIntentFinder(connection),
    follow: () => new TurnIntentFollower(connection, intents),
    runs: new RunQueue(connection, new RunRows(connection, report), events),
  };
}
