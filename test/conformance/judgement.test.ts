import { describe, expect, it } from "vitest";
import type { ContractCase } from "../../src/conformance/corpus.ts";
import { type Answered, judge } from "../../src/conformance/judgement.ts";
import { readKnownDeviations } from "../../src/conformance/knownDeviations.ts";
import { changed, joined, writtenOut } from "../../src/conformance/notation.ts";
import { selectCases } from "../../src/conformance/selection.ts";
import { thrownBy } from "../contracts/support/thrown.ts";

const asked = (id: string): ContractCase => ({
  id,
  name: id,
  description: "A document.",
  rule: "json-text",
  kind: "contract",
  contract: "deferred-turn-facts.v1",
  input: { text: "{}" },
  valid: true,
});

const answered = (id: string, decision: string): Answered => ({
  asked: asked(id),
  answer: { kind: "decision", decision },
});

const known = (id: string, answer: string) => ({ case: id, answer, reason: "It is so." });

describe("a judgement", () => {
  it("takes a known deviation with its very answer", () => {
    const judgement = judge([answered("a", "invalid"), answered("b", "valid")], [known("a", "invalid")]);
    expect(judgement).toMatchObject({
      agreed: 1,
      known: [{ case: "a", reason: "It is so." }],
      deviations: [],
      gone: [],
    });
  });

  it("finds one that is known with another answer both new and gone", () => {
    const judgement = judge([answered("a", "invalid")], [known("a", "unsupported")]);
    expect(judgement).toMatchObject({ agreed: 0, known: [], deviations: [{ case: "a" }], gone: [{ case: "a" }] });
  });

  it("says nothing of a known deviation whose case was not asked", () => {
    expect(judge([answered("a", "valid")], [known("b", "invalid")])).toMatchObject({ agreed: 1, gone: [] });
  });
});

describe("a list of known deviations", () => {
  it("names a case once", () => {
    const text = JSON.stringify({ kind: "known", deviations: [known("a", "valid"), known("a", "valid")] });
    expect(thrownBy(() => readKnownDeviations(text, new Set("a")))).toMatchObject({ path: "/deviations/1" });
  });

  it.each(["", "[]", "null", '{"kind":"rules"}'])("has one form: not %j", (text) => {
    expect(thrownBy(() => readKnownDeviations(text, new Set()))).toMatchObject({ code: "INVALID_ARGUMENT" });
  });
});

describe("the notation of the files", () => {
  it("repeats texts and lists, wherever they stand", () => {
    const value = { a: [{ repeat: "é", times: 3 }], b: { repeat: [{ c: { repeat: "x", times: 2 } }, 1], times: 2 } };
    expect(writtenOut(value)).toEqual({ a: ["ééé"], b: [{ c: "xx" }, 1, { c: "xx" }, 1] });
    expect(joined(["<", { repeat: "-", times: 3 }, ">"])).toBe("<--->");
  });

  it("leaves an object alone that only looks alike", () => {
    expect(writtenOut({ repeat: "x", times: 2, more: 1 })).toEqual({ repeat: "x", times: 2, more: 1 });
  });

  it("changes and leaves out fields of the base", () => {
    expect(changed({ a: 1, b: 2, c: 3 }, { change: { a: null, d: 4 }, without: ["b"] })).toEqual({
      a: null,
      c: 3,
      d: 4,
    });
  });
});

describe("a selection of cases", () => {
  const cases = ["facts.v1/a", "facts.v1/b", "factsXv1/a"].map(asked);

  it.each([
    [[], ["facts.v1/a", "facts.v1/b", "factsXv1/a"]],
    [["facts.v1/*"], ["facts.v1/a", "facts.v1/b"]],
    [
      ["*/a", "*/c"],
      ["facts.v1/a", "factsXv1/a"],
    ],
    [["facts"], []],
  ])("by %j", (globs, ids) => {
    expect(selectCases(cases, globs).map(({ id }) => id)).toEqual(ids);
  });
});
