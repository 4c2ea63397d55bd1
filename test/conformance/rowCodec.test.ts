import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { TABLES } from "../../generated/ddl.ts";
import { decodeWorkflowTurnIntent } from "../../generated/records.ts";
import type { DatabaseCase } from "../../src/conformance/corpus.ts";
import { DATABASE_CASES } from "./support/corpus.ts";

const bareTables = TABLES.map(({ sql }) => `${sql};`).join("\n");

/** The rows that statements leave in tables without guards; undefined where even those refuse them. */
function rowsWithoutGuards({ setup, sql }: DatabaseCase): readonly unknown[] | undefined {
  const database = new Database(":memory:");
  try {
    database.exec(bareTables + setup + sql);
    return database.prepare("SELECT * FROM workflow_turn_intents").all();
  } catch {
    return undefined;
  } finally {
    database.close();
  }
}

const ofOneRow = DATABASE_CASES.filter(
  ({ id }) => id.startsWith("database-columns/") || id.startsWith("database-facts/"),
);
const written = ofOneRow.filter(({ before }) => before === "");

describe("the codec of rows", () => {
  it("reads every row that the guards accept", () => {
    const unread = written
      .filter(({ accepted }) => accepted)
      .filter((each) => !rowsWithoutGuards(each)?.every((row) => decodeWorkflowTurnIntent(row).ok));
    expect(unread.map(({ id }) => id)).toEqual([]);
  });

  it("refuses every row that the guards refuse, where an older program wrote it without them", () => {
    const refused = written.filter(({ accepted }) => !accepted);
    const taken = refused.filter((each) => rowsWithoutGuards(each)?.every((row) => decodeWorkflowTurnIntent(row).ok));
    expect(taken.map(({ id }) => id)).toEqual([]);
    expect(refused.length).toBeGreaterThan(100);
  });
});
