import { extensionSession } from "../src/worlds/idleSession.ts";

/** Prints the bytes of the heap after a number of idle passes and a collection. */
const [, , path = "", passes = "0"] = process.argv;
const { session } = extensionSession(path);
for (let pass = 0; pass < Number(passes); pass += 1) session.pass();
// Twice: what the first collection finalises, the second one frees.
globalThis.gc?.();
globalThis.gc?.();
console.log(process.memoryUsage().heapUsed);
