import Database from "better-sqlite3";

/** Takes the write lock of a store and says "locked"; gives it back, and says "free", when it is told anything. */
const database = new Database(process.argv[2]);
database.exec("BEGIN IMMEDIATE");
process.stdout.write("locked\n");
process.stdin.once("data", () => {
  database.exec("ROLLBACK");
  process.stdout.write("free\n");
  process.stdin.destroy();
});
