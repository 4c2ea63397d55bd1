import { join } from "node:path";
import { atMost, type Comparison, type Row, type Side } from "../src/row.ts";
import { bareStatements, createBare } from "../src/worlds/bareStore.ts";
import { librarySession } from "../src/worlds/idleSession.ts";
import { newDraft, newSource, rowOf } from "../src/worlds/intents.ts";
import { inLiveTurn, interruptLiveTurn } from "../src/worlds/interruption.ts";

const OPERATIONS = 30;

export const row: Row = {
  what: "abort path with a healthy store, from the decision to `ctx.abort()`: provenance, draft, redaction, intent",
  against: "the intent's row inserted by a bare prepared statement: same tables, indexes, guards and settings",
  prepare: (folder) => {
    const database = createBare(join(folder, "bare.sqlite"));
    const { insert } = bareStatements(database);
    const idle = librarySession(join(folder, "store.sqlite"));
    // Both in a turn of a session: how long a disk takes to write depends on what went before.
    const other = librarySession(join(folder, "other.sqlite"));
    const comparison: Comparison = {
      name: "",
      bar: atMost(2),
      unit: "ns",
      figure: "ratio",
      operations: OPERATIONS,
      measured: meanOf(() => interruptLiveTurn(idle, newSource())),
      baseline: meanOf(() => {
        const intent = rowOf(newDraft());
        return inLiveTurn(other, () => insert.run(intent));
      }),
    };
    return {
      comparisons: [comparison],
      close: () => {
        for (const { session } of [idle, other]) session.close();
        database.close();
      },
    };
  },
};

function meanOf(measure: () => number): Side {
  return () => {
    let total = 0;
    for (let each = 0; each < OPERATIONS; each += 1) total += measure();
    return total / OPERATIONS;
  };
}
