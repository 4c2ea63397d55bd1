import { describe, expect, it } from "vitest";
import { DiagnosticLog } from "../../src/turns/diagnostics.ts";

describe("the diagnostics of a process", () => {
  it("are kept with their time, the oldest first", () => {
    let now = 1;
    const log = new DiagnosticLog(() => now);
    log.report({ code: "SEND_LOST", message: "first", intentId: "a" });
    now = 2;
    log.report({ code: "SEND_LOST", message: "first", intentId: "b" });
    expect(log.recent()).toMatchObject([
      { at: 1, intentId: "a" },
      { at: 2, intentId: "b" },
    ]);
  });

  it("are bounded, and counted beyond the bound", () => {
    const log = new DiagnosticLog(() => 0, 2);
    for (const message of ["one", "two", "three"]) log.report({ code: "SEND_LOST", message });
    expect(log.recent().map(({ message }) => message)).toEqual(["two", "three"]);
    expect(log.count("SEND_LOST")).toBe(3);
  });

  it("that repeat the last of their kind are counted and not stored again", () => {
    const log = new DiagnosticLog(() => 0);
    for (let pass = 0; pass < 50; pass += 1) log.report({ code: "STORE_BUSY", message: "The store is locked." });
    expect(log.recent()).toHaveLength(1);
    expect(log.count("STORE_BUSY")).toBe(50);
  });

  it("keep a clean and short message, whatever they quote", () => {
    const log = new DiagnosticLog(() => 0);
    log.report({ code: "CORRUPT_ROW", message: `\u001b[31m${"a".repeat(5000)}` });
    expect(log.recent()[0]?.message).toMatch(/^a{1999}…$/);
  });
});
