/** Prints the nanoseconds that importing a module and opening a store with it take. */
const [, , path = "", entry = ""] = process.argv;
const start = process.hrtime.bigint();
if (entry === "") await openBare();
else await openWithLibrary();
console.log(Number(process.hrtime.bigint() - start));

async function openWithLibrary(): Promise<void> {
  const { openControllerStore } = (await import(entry)) as typeof import("../../src/index.ts");
  openControllerStore({ path });
}

/** What somebody would write who needs no library: the settings of the store, and a first look into the file. */
async function openBare(): Promise<void> {
  const { default: Database } = await import("better-sqlite3");
  const database = new Database(path);
  for (const pragma of ["journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"]) database.pragma(pragma);
  database.prepare("SELECT schema_id FROM schema_info").get();
}
