import { parentPort } from "node:worker_threads";
import { runChunk } from "./chunk.ts";
import { FuzzWorld } from "./fuzzWorld.ts";
import type { ChunkOrder } from "./workers.ts";

const world = new FuzzWorld();

parentPort?.on("message", (order: ChunkOrder | "close") => {
  if (order === "close") {
    world.close();
    parentPort?.close();
  } else {
    parentPort?.postMessage(runChunk(world, order.seed, order.documents));
  }
});
