import { openBare } from "../src/worlds/bareStore.ts";

/** Holds the write lock of a store until the parent goes. */
const database = openBare(process.argv[2] ?? "");
database.exec("BEGIN IMMEDIATE");
process.once("disconnect", () => database.close());
process.send?.("locked");
