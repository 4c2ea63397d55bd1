import { randomUUID } from "node:crypto";
import { join } from "node:path";
import Database from "better-sqlite3";
import { sql } from "drizzle-orm";
import { buildDBClient, migrateDB, SqliteQueue } from "liteque";
import { better, defineQueue } from "plainjob";
import { openControllerStore } from "../../../src/store/openControllerStore.ts";
import { atMost, type Comparison, printed, type Row, type Side } from "../../src/row.ts";
import { newDraft, SESSION } from "../../src/worlds/intents.ts";

const OPERATIONS = 20;

/** Both peers set NORMAL by themselves: a loss of power may take the last transactions with it. Ours is always FULL. */
type Synchronous = "NORMAL" | "FULL";

/** A queue of jobs as its users see it. */
interface JobQueue {
  readonly add: () => unknown;
  /** Claims the next job and completes it. Throws when there is none. */
  readonly claimAndComplete: () => unknown;
  readonly close: () => void;
}

const PEERS = { plainjob, liteque };

export const row: Row = {
  what: "claim of the next intent of a session and its resolution",
  against:
    "claim of the next job and its completion in plainjob and liteque, with their own defaults and with our durability",
  prepare: (folder) => {
    const own = ours(join(folder, "store.sqlite"));
    const peers = Object.entries(PEERS).flatMap(([name, open]) =>
      (["NORMAL", "FULL"] as const).map((synchronous) => {
        const queue = open(join(folder, `${name}-${synchronous}.sqlite`), synchronous);
        const isEqual = synchronous === "FULL";
        return {
          queue,
          name: `${name}, ${isEqual ? "equally durable" : "its default"}`,
          bar: isEqual ? atMost(1) : printed,
        };
      }),
    );
    return {
      comparisons: peers.map(
        ({ queue, name, bar }): Comparison => ({
          name,
          bar,
          unit: "ns",
          figure: "ratio",
          operations: OPERATIONS,
          measured: sideOf(own),
          baseline: sideOf(queue),
        }),
      ),
      close: () => {
        for (const { close } of [own, ...peers.map(({ queue }) => queue)]) close();
      },
    };
  },
};

function sideOf({ add, claimAndComplete }: JobQueue): Side {
  return async () => {
    for (let each = 0; each < OPERATIONS; each += 1) await add();
    const start = process.hrtime.bigint();
    for (let each = 0; each < OPERATIONS; each += 1) await claimAndComplete();
    return Number(process.hrtime.bigint() - start) / OPERATIONS;
  };
}

function ours(path: string): JobQueue {
  const store = openControllerStore({ path });
  return {
    add: () => store.ensureWorkflowTurnIntent({ ...newDraft(), eligible: true }),
    claimAndComplete: () => {
      const claimToken = randomUUID();
      const claim = { targetSessionId: SESSION, claimToken, leaseMs: 30_000, limit: 1 };
      const intentId = there(store.claimEligibleWorkflowTurnIntentsForSession(claim)[0]).intentId;
      store.resolveWorkflowTurnIntent({
        intentId,
        claimToken,
        resolution: "fallback",
        messageId: `${intentId}:fallback`,
      });
    },
    close: () => store.close(),
  };
}

function plainjob(path: string, synchronous: Synchronous): JobQueue {
  const database = new Database(path);
  const quiet = (): void => undefined;
  const queue = defineQueue({
    connection: better(database),
    logger: { debug: quiet, info: quiet, warn: quiet, error: quiet },
  });
  database.pragma(`synchronous = ${synchronous}`);
  return {
    add: () => queue.add("intent", newDraft()),
    claimAndComplete: () => queue.markJobAsDone(there(queue.getAndMarkJobAsProcessing("intent")).id),
    close: () => queue.close(),
  };
}

function liteque(path: string, synchronous: Synchronous): JobQueue {
  const client = buildDBClient(path);
  migrateDB(client);
  client.run(sql.raw(`PRAGMA synchronous = ${synchronous}`));
  // Liteque gives better-sqlite3's transaction an asynchronous function. Current versions refuse that; those that
  // liteque was made for ended the transaction before its first statement. So its statements run one by one, as there.
  Object.assign(client, { transaction: (work: (within: typeof client) => unknown) => work(client) });
  const queue = new SqliteQueue<object>("intent", client, { defaultJobArgs: { numRetries: 1 }, keepFailedJobs: false });
  return {
    add: () => queue.enqueue(newDraft()),
    claimAndComplete: async () => {
      const { id, allocationId } = there(await queue.attemptDequeue({ timeoutSecs: 30 }));
      await queue.finalize(id, allocationId, "completed");
    },
    close: () => undefined,
  };
}

function there<Job>(job: Job | undefined | null): Job {
  if (job === undefined || job === null) throw new Error("The queue was empty.");
  return job;
}
