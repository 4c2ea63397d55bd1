import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DeferredTurnFacts } from "../../generated/contracts.ts";
import { isDeferredTurnFacts, parseDeferredTurnFacts } from "../../src/contracts/facts.ts";
import { anyText } from "./support/arbitraries.ts";
import { thrownBy } from "./support/thrown.ts";

const FACTS: DeferredTurnFacts = {
  schema: "pi-workflows.deferred-turn-facts.v1",
  workflowName: "autoimplement",
  runId: "20260821T081731Z-autoimplement-407480dd",
  observedState: "failed",
  cause: "failed",
  nodeId: "$launch",
  attemptId: null,
  reason: "scope must be a non-empty string",
  handoff: false,
};
const TEXT = JSON.stringify(FACTS);
const CRAB = "\u{1F980}";

describe("deferred turn facts", () => {
  it("are read from text and from a value alike", () => {
    expect(parseDeferredTurnFacts(TEXT)).toEqual(FACTS);
    expect(parseDeferredTurnFacts(JSON.parse(TEXT))).toEqual(FACTS);
    expect(parseDeferredTurnFacts(` \n${JSON.stringify(FACTS, null, 2)}\n`)).toEqual(FACTS);
    expect(isDeferredTurnFacts(FACTS)).toBe(true);
  });

  it("are copied, so that a later change does not reach what was checked", () => {
    const value = { ...FACTS };
    const facts = parseDeferredTurnFacts(value);
    value.reason = "another";
    expect(facts.reason).toBe(FACTS.reason);
  });

  it.each(["nodeId", "attemptId", "reason"])("may have null as %s, but not leave it out", (field) => {
    const { [field]: _, ...others } = FACTS as unknown as Record<string, unknown>;
    expect(parseDeferredTurnFacts({ ...FACTS, [field]: null })).toMatchObject({ [field]: null });
    expect(thrownBy(() => parseDeferredTurnFacts(others))).toMatchObject({
      code: "CONTRACT_VIOLATION",
      path: `/${field}`,
    });
  });

  it.each([
    ["an unknown field", { ...FACTS, extra: 1 }, "/extra"],
    ["another schema", { ...FACTS, schema: "pi-workflows.deferred-turn-facts.v2" }, "/schema"],
    ["an unknown cause", { ...FACTS, cause: "bored" }, "/cause"],
    ["an empty name", { ...FACTS, workflowName: "" }, "/workflowName"],
    ["a handoff that is no boolean", { ...FACTS, handoff: 0 }, "/handoff"],
    ["U+0000", { ...FACTS, reason: "a\0b" }, "/reason"],
    ["a lone surrogate", { ...FACTS, reason: "a\ud800b" }, "/reason"],
    ["a nested value", { ...FACTS, reason: { text: "a" } }, "/reason"],
    ["a key of 513 characters", { ...FACTS, runId: CRAB.repeat(513) }, "/runId"],
    ["a reason of 8,193 characters", { ...FACTS, reason: CRAB.repeat(8193) }, "/reason"],
  ])("are refused with %s, as a value and as text", (_, value, path) => {
    expect(thrownBy(() => parseDeferredTurnFacts(value))).toMatchObject({ code: "CONTRACT_VIOLATION", path });
    expect(thrownBy(() => parseDeferredTurnFacts(JSON.stringify(value)))).toMatchObject({
      code: "CONTRACT_VIOLATION",
      path,
    });
  });

  it("may have a reason of 8,192 four-byte characters", () => {
    const facts = {
      ...FACTS,
      reason: CRAB.repeat(8192),
      workflowName: CRAB.repeat(512),
      observedState: CRAB.repeat(512),
    };
    expect(parseDeferredTurnFacts(JSON.stringify(facts))).toEqual(facts);
  });

  it("are refused as text that gives a field twice, however it is spelled", () => {
    for (const twice of ['"reason":"b"', '"reas\\u006fn" : null']) {
      const text = TEXT.replace('"reason":', `${twice},"reason":`);
      expect(thrownBy(() => parseDeferredTurnFacts(text))).toMatchObject({
        code: "CONTRACT_VIOLATION",
        path: "/reason",
      });
    }
  });

  it("may mention field names, braces and escaped quotes within their text", () => {
    const facts = { ...FACTS, reason: '{"reason":"a","reason":"b"} \\" [}' };
    expect(parseDeferredTurnFacts(JSON.stringify(facts))).toEqual(facts);
  });

  it("are refused with __proto__ as a field", () => {
    const text = TEXT.replace("{", '{"__proto__":{},');
    for (const value of [text, JSON.parse(text)]) {
      expect(thrownBy(() => parseDeferredTurnFacts(value))).toMatchObject({
        code: "CONTRACT_VIOLATION",
        path: "/__proto__",
      });
    }
  });

  it.each([
    ["no JSON", "{"],
    ["no object", "[]"],
    ["null", null],
    ["an array", [FACTS]],
    ["an object with inherited fields", Object.create(FACTS)],
    ["text of 10,000 open brackets", "[".repeat(10_000)],
    ["nothing", undefined],
  ])("are not %s", (_, value) => {
    expect(thrownBy(() => parseDeferredTurnFacts(value))).toMatchObject({ code: "CONTRACT_VIOLATION", path: "" });
  });

  it("are data: a computed field is refused without being asked", () => {
    const value = Object.defineProperty({ ...FACTS }, "reason", {
      enumerable: true,
      get: () => {
        throw new Error("asked");
      },
    });
    expect(thrownBy(() => parseDeferredTurnFacts(value))).toMatchObject({
      code: "CONTRACT_VIOLATION",
      path: "/reason",
    });
  });

  it("have at most 65,536 bytes as text, counted before the text is parsed", () => {
    const padded = (bytes: number): string => TEXT.replace("{", `{${" ".repeat(bytes - TEXT.length)}`);
    expect(parseDeferredTurnFacts(padded(65_536))).toEqual(FACTS);
    expect(thrownBy(() => parseDeferredTurnFacts(padded(65_537)))).toMatchObject({
      code: "CONTRACT_VIOLATION",
      path: "",
    });
    expect(thrownBy(() => parseDeferredTurnFacts(`{${"é".repeat(32_768)}`))).toMatchObject({
      message: expect.stringContaining("65537 bytes"),
    });
  });

  it("fit into that bound even with the characters that JSON writes longest", () => {
    const key = "\u0001".repeat(512);
    const longest = { ...FACTS, workflowName: key, runId: key, observedState: key, nodeId: key, attemptId: key };
    const facts: DeferredTurnFacts = { ...longest, reason: "\u0001".repeat(8192), cause: "controllerInterrupted" };
    expect(parseDeferredTurnFacts(JSON.stringify(facts))).toEqual(facts);
  });

  it("come back from their text as they were", () => {
    const reason = fc.option(anyText().filter((text) => !/\0|\p{Surrogate}/u.test(text)));
    fc.assert(
      fc.property(reason, (text) => {
        const facts = { ...FACTS, reason: text };
        expect(parseDeferredTurnFacts(JSON.stringify(facts))).toEqual(facts);
      }),
    );
  });
});
