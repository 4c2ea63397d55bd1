import { openControllerStore } from "../../../src/store/openControllerStore.ts";

/** Says "ready", and when it is told anything opens a store and says "opened". */
process.stdout.write("ready\n");
process.stdin.once("data", () => {
  openControllerStore({ path: process.argv[2] ?? "", busyTimeoutMs: 5000 }).close();
  process.stdout.write("opened\n");
  process.stdin.destroy();
});
