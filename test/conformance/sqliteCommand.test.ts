import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { isInstalled } from "../codegen/support/engines.ts";
import { DATABASE_CASES } from "./support/corpus.ts";
import { DDL } from "./support/sqlite.ts";

/** Runs every case in one process of the sqlite3 command, each in a database of its own, and returns those it refuses. */
function refusedByCommand(): readonly string[] {
  const script = DATABASE_CASES.flatMap(({ id, before, setup, sql }) => [
    ".open :memory:",
    before,
    DDL,
    setup,
    `.print >${id}`,
    // What does not end with a semicolon would take the next line with it.
    `${sql};`,
  ]).join("\n");
  // Errors are written to the log, and so between the names of the cases.
  const { stdout } = spawnSync("sqlite3", ["-cmd", ".log stdout", ":memory:"], { input: script, encoding: "utf8" });
  const blocks = `\n${stdout}`.split("\n>").slice(1);
  expect(blocks).toHaveLength(DATABASE_CASES.length);
  return blocks.filter((block) => block.includes("\n(")).map((block) => block.slice(0, block.indexOf("\n")));
}

describe.skipIf(!isInstalled("sqlite3"))("the sqlite3 command", () => {
  it("refuses what the corpus says, and nothing else, in whatever version it is", () => {
    const refused = DATABASE_CASES.filter(({ accepted }) => !accepted).map(({ id }) => id);
    expect(refusedByCommand()).toEqual(refused);
  });
});
