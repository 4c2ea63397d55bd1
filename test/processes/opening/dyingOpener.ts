// A process that opens a store and dies at the point that it is told; without one, it says which points there are.
import Database from "better-sqlite3";
import { openControllerStore } from "../../../src/store/openControllerStore.ts";
import { Points } from "../support/points.ts";

const [, , path = "", dieAt] = process.argv;
const points = new Points((point) => {
  if (point === dieAt) process.kill(process.pid, "SIGKILL");
});
points.watch(Database.prototype, ["pragma", "exec", "close"]);
openControllerStore({ path }).close();
process.stdout.write(JSON.stringify(points.reached));
