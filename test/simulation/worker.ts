import { parentPort, workerData } from "node:worker_threads";
import { type GoOn, type SeedRange, simulate } from "./simulate.ts";
import { SimulationFolder } from "./world/simulationFolder.ts";

/** Plays the ranges of seeds that the main thread sends, and sends the tally of each; a range of none ends it. */
const folder = new SimulationFolder();
const { goOn } = workerData as { readonly goOn: GoOn };

parentPort?.on("message", async (range: SeedRange) => {
  if (range.count > 0) {
    parentPort?.postMessage(await simulate(folder, range, goOn));
    return;
  }
  folder.remove();
  parentPort?.close();
});
