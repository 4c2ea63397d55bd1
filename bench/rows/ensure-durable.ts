import { join } from "node:path";
import { openControllerStore } from "../../src/store/openControllerStore.ts";
import { atMost, type Row } from "../src/row.ts";
import { timedAfter } from "../src/timing.ts";
import { bareStatements, createBare } from "../src/worlds/bareStore.ts";
import { newDraft, rowOf } from "../src/worlds/intents.ts";

export const row: Row = {
  what: "`ensure` of a new intent",
  against: "the same row inserted by a bare prepared statement: same tables, indexes, guards and settings",
  prepare: (folder) => {
    const store = openControllerStore({ path: join(folder, "store.sqlite") });
    const database = createBare(join(folder, "bare.sqlite"));
    const { insert } = bareStatements(database);
    const operations = 40;
    return {
      comparisons: [
        {
          name: "",
          bar: atMost(1.25),
          unit: "ns",
          figure: "ratio",
          operations,
          measured: timedAfter(operations, {
            ready: () => newDraft(),
            work: (draft) => store.ensureWorkflowTurnIntent(draft),
          }),
          baseline: timedAfter(operations, { ready: () => rowOf(newDraft()), work: (intent) => insert.run(intent) }),
        },
      ],
      close: () => {
        store.close();
        database.close();
      },
    };
  },
};
