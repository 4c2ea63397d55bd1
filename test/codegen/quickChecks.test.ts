import { readFileSync } from "node:fs";
import Ajv from "ajv";
import { array, assert, constant, dictionary, oneof, property, record, string, tuple } from "fast-check";
import { describe, expect, it } from "vitest";
import { codePoints, hasLength, isStorable } from "../../generated/textRules.ts";
import {
  isDeferredTurnFacts,
  isDeferredTurnMessageDetails,
  isNaturalMessageDetails,
} from "../../generated/validators.ts";

const CONTRACTS = [
  ["deferred-turn-facts.v1", isDeferredTurnFacts],
  ["deferred-turn-message.v1", isDeferredTurnMessageDetails],
  ["natural-message-details.v1", isNaturalMessageDetails],
] as const;

/** Texts at and about every limit of a contract, with characters that are refused and such that take two units. */
const text = oneof(
  string({ unit: "binary", maxLength: 3 }),
  tuple(
    oneof(...["x", "ü", "\u{1f4e6}", "\ud83d", "\udce6", "\0", "\uffff"].map(constant)),
    oneof(...[0, 1, 77, 78, 511, 512, 513, 8192, 8193].map(constant)),
  ).map(([character, count]) => character.repeat(count)),
);

const anything = oneof(
  text,
  constant(null),
  constant(undefined),
  constant(7),
  constant(true),
  constant({}),
  array(text),
);

function schemaOf(name: string): { readonly examples: readonly object[] } & object {
  return JSON.parse(readFileSync(new URL(`../../schemas/${name}.schema.json`, import.meta.url), "utf8"));
}

describe.each(CONTRACTS)("the check of %s that only answers yes or no", (name, check) => {
  const schema = schemaOf(name);
  const ajv = new Ajv.default({ allowUnionTypes: true, ownProperties: true });
  ajv.addKeyword({ keyword: "x-maxBytes", schemaType: "number" });
  const validate = ajv.compile(schema);
  const [example = {}] = schema.examples;

  it("agrees with Ajv on documents of which fields were changed, left out and added", () => {
    const fields = record(Object.fromEntries(Object.keys(example).map((field) => [field, anything])), {
      requiredKeys: [],
    });
    const others = oneof(constant({}), constant({}), dictionary(text, anything, { maxKeys: 1 }));
    assert(
      property(fields, others, (changes, added) => {
        const value = { ...example, ...changes, ...added };
        expect(check(value)).toBe(validate(value));
      }),
      { numRuns: 2000 },
    );
  });

  it("agrees with Ajv on what is no document", () => {
    const left = Object.keys(example).map((field) =>
      Object.fromEntries(Object.entries(example).filter(([key]) => key !== field)),
    );
    for (const value of [null, undefined, 1, "", [], [example], {}, Object.create(example), ...left]) {
      expect(check(value)).toBe(validate(value));
    }
  });
});

describe("the rules of texts", () => {
  it("count characters as a walk over them does", () => {
    assert(
      property(text, (value) => {
        expect(codePoints(value)).toBe([...value].length);
        expect(hasLength(value, 1, 512)).toBe([...value].length >= 1 && [...value].length <= 512);
        expect(isStorable(value)).toBe(!/[\0\p{Surrogate}]/u.test(value));
      }),
    );
  });
});
