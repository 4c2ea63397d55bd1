import { join } from "node:path";
import { INDEXES, TRIGGERS } from "../../generated/ddl.ts";
import { type Comparison, printed, type Row } from "../src/row.ts";
import { timedAfter } from "../src/timing.ts";
import { bareStatements, createBare } from "../src/worlds/bareStore.ts";
import { newDraft, rowOf } from "../src/worlds/intents.ts";

const OPERATIONS = 40;
const TABLE = "workflow_turn_intents";

/** The two indexes of the specification; the others serve listings, and the attempt that was interrupted before. */
const SPECIFIED = ["workflow_turn_intents_one_pending_run", "workflow_turn_intents_eligible"];

/** What a layout leaves out, as SQL. */
const WITHOUT = {
  "without the further indexes": INDEXES.filter(({ table, name }) => table === TABLE && !SPECIFIED.includes(name)).map(
    ({ name }) => `DROP INDEX "${name}"`,
  ),
  "without the guards": TRIGGERS.map(({ name }) => `DROP TRIGGER "${name}"`),
};

export const row: Row = {
  what: "what the layout costs a write: a bare insert of an intent into the whole layout",
  against: "the same into a layout without the indexes that the specification does not ask for, and without the guards",
  prepare: (folder) => {
    const whole = createBare(join(folder, "whole.sqlite"));
    const leaner = Object.entries(WITHOUT).map(([name, drops], index) => {
      const database = createBare(join(folder, `leaner-${index}.sqlite`));
      database.exec(drops.join(";"));
      return { name, database };
    });
    const insertInto = (database: typeof whole) => {
      const { insert } = bareStatements(database);
      return timedAfter(OPERATIONS, { ready: () => rowOf(newDraft()), work: (intent) => insert.run(intent) });
    };
    return {
      comparisons: leaner.map(
        ({ name, database }): Comparison => ({
          name,
          bar: printed,
          unit: "ns",
          figure: "ratio",
          operations: OPERATIONS,
          measured: insertInto(whole),
          baseline: insertInto(database),
        }),
      ),
      close: () => {
        for (const database of [whole, ...leaner.map((each) => each.database)]) database.close();
      },
    };
  },
};
