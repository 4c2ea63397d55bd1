import { writeFileSync } from "node:fs";
import Database from "better-sqlite3";
import { draftTurnIntent } from "../../../src/contracts/draft.ts";
import { BARE_TABLE, insertIntent, SCHEMA_INFO } from "../../store/helpers/bareStore.ts";

/** What is at the path before the processes open it. */
export interface Beginning {
  readonly name: string;
  readonly make: (path: string) => void;
  /** How many intents the store has from the beginning. */
  readonly intents: number;
}

const INTENT = draftTurnIntent({
  targetSessionId: "session-1",
  runId: "run-1",
  workflowRef: "review",
  sourceEventId: "event-1",
  cause: "failed",
  observedState: "failed",
});

export const BEGINNINGS: readonly Beginning[] = [
  { name: "no file", make: () => undefined, intents: 0 },
  { name: "an empty file", make: (path) => writeFileSync(path, ""), intents: 0 },
  {
    name: "a bare store of sixteen columns, to be joined",
    intents: 1,
    make: (path) => {
      const database = new Database(path);
      database.exec(`${SCHEMA_INFO}\n${BARE_TABLE}\n${insertIntent(INTENT)}`);
      database.close();
    },
  },
];
