import { join } from "node:path";
import { atMost, type Comparison, type Row } from "../src/row.ts";
import { timed } from "../src/timing.ts";
import { bareStatements, openBare } from "../src/worlds/bareStore.ts";
import { fillWithHistory } from "../src/worlds/history.ts";
import { extensionSession, type IdleSession, librarySession } from "../src/worlds/idleSession.ts";
import { SESSION } from "../src/worlds/intents.ts";

const OPERATIONS = 2000;

export const row: Row = {
  what: "a sync pass of an idle session with 1,000 resolved intents and nothing eligible",
  against: "one bare prepared SELECT of the session's eligible intents, by the same index",
  prepare: (folder) => {
    const path = join(folder, "store.sqlite");
    fillWithHistory(path, 1000);
    const sessions = { library: librarySession(path), extension: extensionSession(path) };
    const database = openBare(path);
    const { eligible } = bareStatements(database);
    const baseline = timed(OPERATIONS, () => eligible.all(SESSION));
    const comparisons = Object.entries(sessions).map(([name, idle]): Comparison => {
      needsNoLock(path, idle);
      const measured = timed(OPERATIONS, () => idle.session.pass());
      return { name, bar: atMost(2), unit: "ns", figure: "ratio", operations: OPERATIONS, measured, baseline };
    });
    return {
      comparisons,
      close: () => {
        for (const { session } of Object.values(sessions)) session.close();
        database.close();
      },
    };
  },
};

/** A pass that asked for the write lock would wait for it, and report that it was busy. */
function needsNoLock(path: string, { session, diagnostics }: IdleSession): void {
  const holder = openBare(path);
  holder.exec("BEGIN IMMEDIATE");
  session.pass();
  holder.exec("ROLLBACK");
  holder.close();
  if (diagnostics() > 0) throw new Error("An idle pass asked for the write lock.");
}
