import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { GoOn, SeedRange } from "./simulate.ts";
import { EMPTY_TALLY, sumOf, type Tally } from "./summary.ts";

/** How many seeds a worker gets at a time. */
const CHUNK = 50;

/**
 * Plays the schedules of a range of seeds on all cores. The result does not depend on how many there are: after a
 * failure nothing counts that comes later than its chunk.
 */
export async function simulateInParallel(range: SeedRange, goOn: GoOn): Promise<Tally> {
  const chunks = chunksOf(range);
  const tallies: Tally[] = [];
  let next = 0;
  const isOver = (): boolean =>
    next >= chunks.length || (goOn === "untilFailure" && tallies.some(({ failures }) => failures.length > 0));
  const work = async (): Promise<void> => {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { workerData: { goOn } });
    while (!isOver()) {
      const chunk = next;
      next += 1;
      tallies[chunk] = await answer(worker, chunks[chunk] ?? { from: 0, count: 0 });
    }
    const exit = new Promise((resolve) => worker.once("exit", resolve));
    worker.postMessage({ from: 0, count: 0 });
    await exit;
  };
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), chunks.length) }, work));
  const failed = tallies.findIndex(({ failures }) => failures.length > 0);
  const counted = goOn === "untilFailure" && failed >= 0 ? tallies.slice(0, failed + 1) : tallies;
  return counted.reduce(sumOf, EMPTY_TALLY);
}

function chunksOf({ from, count }: SeedRange): readonly SeedRange[] {
  return Array.from({ length: Math.ceil(count / CHUNK) }, (_, index) => {
    const start = index * CHUNK;
    return { from: from + start, count: Math.min(CHUNK, count - start) };
  });
}

function answer(worker: Worker, range: SeedRange): Promise<Tally> {
  return new Promise((resolve, reject) => {
    worker.once("error", reject);
    worker.once("message", (tally: Tally) => {
      worker.off("error", reject);
      resolve(tally);
    });
    worker.postMessage(range);
  });
}
