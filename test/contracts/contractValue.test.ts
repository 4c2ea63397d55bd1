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

  it("is named in the error, with the first violation and the number of the others", () => {
    const violation = { path: "/a", rule: "type", bound: "string", message: "/a must be of type string." };
    const violations = () => [violation, violation, violation];
    expect(thrownBy(() => readContract({ a: 1 }, { ...SMALL, violations }))).toMatchObject({
      message: "Invalid small value: /a must be of type string. (and 2 more)",
      path: "/a",
    });
  });
});
