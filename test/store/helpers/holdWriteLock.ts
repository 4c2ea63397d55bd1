import Database from "better-sqlite3";

/**
 * Takes the write lock of a database and says "locked". Told anything, it holds on for the milliseconds of its second
 * argument, gives the lock back and says "free".
 */
const [, , path, holdOnMs = "0"] = process.argv;
const database = new Database(path);
database.exec("BEGIN IMMEDIATE");
process.stdout.write("locked\n");
process.stdin.once("data", () => setTimeout(release, Number(holdOnMs)));

function release(): void {
  database.exec("ROLLBACK");
  process.stdout.write("free\n");
  process.stdin.destroy();
}
