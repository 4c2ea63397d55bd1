import { join } from "node:path";
import { atMost, type Row } from "../src/row.ts";
import { timedAfter } from "../src/timing.ts";
import { bareStatements, createBare } from "../src/worlds/bareStore.ts";
import { librarySession } from "../src/worlds/idleSession.ts";
import { newDraft, newSource, rowOf } from "../src/worlds/intents.ts";
import { interruptLiveTurn } from "../src/worlds/interruption.ts";

const OPERATIONS = 30;

export const row: Row = {
  what: "abort path with a healthy store, from the decision to `ctx.abort()`: provenance, draft, redaction, intent",
  against: "the intent's row inserted by a bare prepared statement: same tables, indexes, guards and settings",
  prepare: (folder) => {
    const database = createBare(join(folder, "bare.sqlite"));
    const { insert } = bareStatements(database);
    const idle = librarySession(join(folder, "store.sqlite"));
    return {
      comparisons: [
        {
          name: "",
          bar: atMost(2),
          unit: "ns",
          figure: "ratio",
          operations: OPERATIONS,
          measured: () => {
            let total = 0;
            for (let each = 0; each < OPERATIONS; each += 1) total += interruptLiveTurn(idle, newSource());
            return total / OPERATIONS;
          },
          baseline: timedAfter(OPERATIONS, { ready: () => rowOf(newDraft()), work: (intent) => insert.run(intent) }),
        },
      ],
      close: () => {
        idle.session.close();
        database.close();
      },
    };
  },
};
