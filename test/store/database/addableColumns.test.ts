import { describe, expect, it } from "vitest";
import { type ColumnDesign, INTENTS_TABLE, storeDesign } from "../../../src/store/database/storeDesign.ts";
import { addableColumns } from "../../../src/store/database/storeLayout.ts";

const today = storeDesign().tables.find(({ name }) => name === INTENTS_TABLE)?.columns ?? [];
const column = (name: string, notNull: boolean): ColumnDesign => ({
  name,
  affinity: "TEXT",
  notNull,
  hasDefault: false,
  keyPlace: 0,
});

describe("a column that a later version gives the turn intents", () => {
  it("is added to stores of today when it may be null", () => {
    const added = column("shown_at", false);
    expect(addableColumns(INTENTS_TABLE, [...today, added], today)).toEqual([added]);
  });

  it("is not when it must be filled", () => {
    expect(addableColumns(INTENTS_TABLE, [...today, column("shown_at", true)], today)).toEqual([]);
  });

  it("is not made up for a table that lacks what the specification demands", () => {
    const lacking = today.filter(({ name }) => name !== "eligible_at");
    expect(addableColumns(INTENTS_TABLE, today, lacking)).toEqual([]);
  });

  it("is not added to tables that older programs share", () => {
    expect(addableColumns("run_events", [...today, column("note", false)], today)).toEqual([]);
  });
});
