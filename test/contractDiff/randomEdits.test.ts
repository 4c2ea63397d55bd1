import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  isObject,
  type Json,
  type JsonObject,
  type JsonPath,
  valueAt,
  withValueAt,
} from "../../src/contractDiff/json.ts";
import { readSide } from "../../src/contractDiff/sides/contractSide.ts";
import { folderTree } from "../../src/contractDiff/sides/sourceTree.ts";
import { type Contract, compile, judge, readSchema, verdictOf } from "./support/schemas.ts";

const { documents } = readSide(folderTree(fileURLToPath(new URL("../..", import.meta.url))));

/** One small edit somewhere in a schema. */
interface RandomEdit {
  readonly place: number;
  readonly how: number;
}

const EDITS: fc.Arbitrary<readonly RandomEdit[]> = fc.array(fc.record({ place: fc.nat(10_000), how: fc.nat(10_000) }), {
  minLength: 1,
  maxLength: 3,
});

/** What may stand in place of a value of a schema: another value of its kind, and nothing. */
function replacements(value: Json): readonly (Json | undefined)[] {
  if (typeof value === "number") return [value + 1, Math.max(0, value - 1), undefined];
  if (typeof value === "boolean") return [!value, undefined];
  if (typeof value === "string") return [`${value} `, "string", "object", "^a", undefined];
  if (Array.isArray(value)) return [value.slice(1), value.toReversed(), undefined];
  return [undefined, {}];
}

function placesIn(value: Json, path: JsonPath = []): readonly JsonPath[] {
  if (!isObject(value) && !Array.isArray(value)) return [path];
  return [path, ...Object.entries(value).flatMap(([name, inside]) => placesIn(inside, [...path, name]))];
}

function edited(schema: JsonObject, edits: readonly RandomEdit[]): JsonObject {
  return edits.reduce<JsonObject>((before, { place, how }) => {
    const places = placesIn(before).filter((path) => path.length > 0);
    const path = places[place % places.length] ?? [];
    const choices = replacements(valueAt(before, path) ?? null);
    const after = withValueAt(before, path, choices[how % choices.length]);
    return isObject(after) ? after : before;
  }, schema);
}

/** An edit may leave something that is no schema; nobody can compare that. */
function compiled(schema: JsonObject): ReturnType<typeof compile> | undefined {
  try {
    return compile(schema, "edited");
  } catch {
    return undefined;
  }
}

describe.each<Contract>(["deferred-turn-facts.v1", "deferred-turn-message.v1", "natural-message-details.v1"])(
  "after random edits of %s",
  (contract) => {
    it("no verdict is milder than what a corpus shows that the comparison has not seen", () => {
      const corpus = documents.get(contract) ?? [];
      expect(corpus.length).toBeGreaterThan(10);
      const old = readSchema(contract);
      const before = compile(old, contract);
      fc.assert(
        fc.property(EDITS, (edits) => {
          const schema = edited(old, edits);
          const after = compiled(schema);
          fc.pre(after !== undefined);
          const verdict = verdictOf(judge(old, schema, contract));
          const refused = corpus.filter((each) => before.accepts(each) && after?.accepts(each) === false);
          const accepted = corpus.filter((each) => !before.accepts(each) && after?.accepts(each) === true);
          if (refused.length > 0) expect(["break", "unproven"]).toContain(verdict);
          if (accepted.length > 0) expect(verdict).not.toBe("noChange");
        }),
        { numRuns: 15, seed: 20260821 },
      );
    });
  },
);
