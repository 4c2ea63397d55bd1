import { atMost, type Row } from "../src/row.ts";
import { timedAfter } from "../src/timing.ts";
import { bareStatements } from "../src/worlds/bareStore.ts";
import { newDraft, rowOf } from "../src/worlds/intents.ts";
import { memoryDatabase, memoryStore } from "../src/worlds/memoryStore.ts";

export const row: Row = {
  what: "`ensure` of a new intent, in memory and with `synchronous = OFF`: what the processor alone costs",
  against: "the same row inserted by a bare prepared statement: same tables, indexes and guards",
  prepare: () => {
    const { ensurer } = memoryStore();
    const { insert } = bareStatements(memoryDatabase());
    const operations = 300;
    return {
      comparisons: [
        {
          name: "",
          bar: atMost(3),
          unit: "ns",
          figure: "ratio",
          operations,
          measured: timedAfter(operations, { ready: () => newDraft(), work: (draft) => ensurer.ensure(draft) }),
          baseline: timedAfter(operations, { ready: () => rowOf(newDraft()), work: (intent) => insert.run(intent) }),
        },
      ],
    };
  },
};
