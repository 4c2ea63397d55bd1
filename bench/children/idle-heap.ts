import { setImmediate } from "node:timers/promises";
import { extensionSession } from "../src/worlds/idleSession.ts";

/** Prints the bytes of the heap after a number of idle passes and forced collections. */
const [, , path = "", passes = "0"] = process.argv;
const { session } = extensionSession(path);
for (let pass = 0; pass < Number(passes); pass += 1) {
  await setImmediate();
  session.pass();
}
// Some things are freed one turn of the event loop, or one collection, after that which held them.
for (let collection = 0; collection < 6; collection += 1) {
  await setImmediate();
  globalThis.gc?.();
}
console.log(process.memoryUsage().heapUsed);
