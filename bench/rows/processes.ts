import { join } from "node:path";
import { openControllerStore } from "../../src/store/openControllerStore.ts";
import { BenchChild } from "../src/child.ts";
import { atLeast, type Row, type Side } from "../src/row.ts";
import { newDraft, several } from "../src/worlds/intents.ts";

const PROCESSES = 8;
/** How many intents all processes of a side claim and resolve together in one round. */
const INTENTS = 400;

export const row: Row = {
  what: "8 processes that claim and resolve from one store: intents a second, all together",
  against: "1 process",
  prepare: async (folder) => {
    const many = await startWorkers(join(folder, "many.sqlite"), PROCESSES);
    const one = await startWorkers(join(folder, "one.sqlite"), 1);
    return {
      comparisons: [
        {
          name: "",
          bar: atLeast(0.8),
          unit: "per second",
          figure: "ratio",
          operations: INTENTS,
          measured: many.throughput,
          baseline: one.throughput,
          rounds: 20,
          warmUps: 1,
        },
      ],
      close: async () => {
        await many.end();
        await one.end();
      },
    };
  },
};

interface Workers {
  readonly throughput: Side;
  readonly end: () => Promise<void>;
}

async function startWorkers(path: string, count: number): Promise<Workers> {
  const store = openControllerStore({ path });
  const workers = several(count, () => new BenchChild("claim-and-resolve.ts", [path]));
  await Promise.all(workers.map((worker) => worker.hears()));
  return {
    throughput: async () => {
      store.transaction(() => {
        for (let each = 0; each < INTENTS; each += 1) store.ensureWorkflowTurnIntent({ ...newDraft(), eligible: true });
      });
      const start = process.hrtime.bigint();
      const done = await Promise.all(workers.map((worker) => worker.ask("work")));
      const seconds = Number(process.hrtime.bigint() - start) / 1e9;
      const total = done.reduce<number>((sum, each) => sum + Number(each), 0);
      if (total !== INTENTS) throw new Error(`${total} of ${INTENTS} intents were resolved.`);
      return INTENTS / seconds;
    },
    end: async () => {
      await Promise.all(workers.map((worker) => worker.end()));
      store.close();
    },
  };
}
