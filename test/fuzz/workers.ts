import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { ChunkReport } from "./chunk.ts";

/** The documents of a seed that are to be judged. */
export interface ChunkOrder {
  readonly seed: number;
  readonly documents: number;
}

/** Has threads work on the orders, each on the next one, until all are done or one finds a violation. */
export async function workOn(
  orders: readonly ChunkOrder[],
  { workers, onReport }: { readonly workers: number; readonly onReport: (report: ChunkReport) => void },
): Promise<readonly ChunkReport[]> {
  const open = [...orders];
  const reports: ChunkReport[] = [];
  const next = (): ChunkOrder | undefined =>
    reports.some(({ violation }) => violation !== undefined) ? undefined : open.shift();

  const work = async (): Promise<void> => {
    const worker = new Worker(new URL("./worker.ts", import.meta.url));
    try {
      for (let order = next(); order !== undefined; order = next()) {
        worker.postMessage(order);
        const [report] = (await once(worker, "message")) as [ChunkReport];
        reports.push(report);
        onReport(report);
      }
      worker.postMessage("close");
      await once(worker, "exit");
    } finally {
      await worker.terminate();
    }
  };
  await Promise.all(Array.from({ length: Math.min(workers, orders.length) }, work));
  return reports.sort((a, b) => a.seed - b.seed);
}
