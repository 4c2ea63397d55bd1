import { describe, expect, it } from "vitest";
import { readContract } from "../../src/contracts/contractValue.ts";
import { thrownBy } from "./support/thrown.ts";

const SMALL = { name: "small value", maxBytes: 12, violations: () => [] };

describe("the value of a contract", () => {
  it("is bounded by the bytes of its text, and of the text that it would become", () => {
    expect(readContract({ a: "1234" }, SMALL)).toEqual({ a: "1234" });
    expect(readContract('{"a":"1234"}', SMALL)).toEqual({ a: "1234" });
    for (const tooLong of [{ a: "é234" }, '{"a":"é234"}']) {
      expect(thrownBy(() => readContract(tooLong, SMALL))).toMatchObject({
        code: "CONTRACT_VIOLATION",
        message: "Invalid small value: 13 bytes of UTF-8 are more than 12.",
      });
    }
  });

  it.each([
    ['{"a":1,"a":1}', "/a"],
    ['{"a":1,"\\u0061":1}', "/a"],
    ['{"a":{"b":1,"b":2}}', "/a/b"],
    ['{"a":[{"b":","},{"c":"]","b":1,"b" :2}]}', "/a/1/b"],
    ['{"a":[[],[1,{"b/c":1,"b/c":2}]],"d":1}', "/a/1/1/b~1c"],
    ['{"":1,"":2}', "/"],
  ])("has no field twice in any of its objects: %s", (text, path) => {
    const error = thrownBy(() => readContract(text, { ...SMALL, maxBytes: 100 }));
    expect(error).toMatchObject({ code: "CONTRACT_VIOLATION", path });
  });

  it("may have a field once in each of its objects, and the same text as often as it likes", () => {
    const text = '{"a":{"a":[{"a":"a"},{"a":"a"},"a","a"]},"b":"a","c":"\\"a\\":"}';
    expect(readContract(text, { ...SMALL, maxBytes: 100 })).toEqual(JSON.parse(text));
  });

  it.each(["\ud83e\\ude00", "\\ud83e\ude00"])("is no text of which UTF-8 would lose a half: %j", (text) => {
    // The halves make a whole when they are parsed, so that the schema finds nothing wrong.
    expect(JSON.parse(`"${text}"`)).toBe("\u{1FA00}");
    expect(thrownBy(() => readContract(`{"a":"${text}"}`, { ...SMALL, maxBytes: 100 }))).toMatchObject({
      code: "CONTRACT_VIOLATION",
      message: "Invalid small value: the text holds half of a surrogate pair.",
    });
  });

  it("is named in the error, with the first violation and the number of the others", () => {
    const violation = { path: "/a", rule: "type", bound: "string", message: "/a must be of type string." };
    const violations = () => [violation, violation, violation];
    expect(thrownBy(() => readContract({ a: 1 }, { ...SMALL, violations }))).toMatchObject({
      message: "Invalid small value: /a must be of type string. (and 2 more)",
      path: "/a",
    });
  });
});
