import { join } from "node:path";
import { atMost, type Comparison, printed, type Row } from "../src/row.ts";
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
    const { eligible, eligiblePlannedOnce } = bareStatements(database);
    const baselines = [
      { suffix: "", bar: atMost(2), statement: eligible },
      { suffix: ", planned once", bar: printed, statement: eligiblePlannedOnce },
    ];
    const comparisons = Object.entries(sessions).flatMap(([name, idle]) => {
      needsNoLock(path, idle);
      return baselines.map(
        ({ suffix, bar, statement }): Comparison => ({
          name: `${name}${suffix}`,
          bar,
          unit: "ns",
          figure: "ratio",
          operations: OPERATIONS,
          measured: timed(OPERATIONS, () => idle.session.pass()),
          baseline: timed(OPERATIONS, () => statement.all(SESSION)),
        }),
      );
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
