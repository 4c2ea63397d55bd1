import { describe, expect, it } from "vitest";
import { checkVectors } from "../../codegen/contracts/conformanceVectors.ts";
import { readContracts } from "../../codegen/contracts/contractSources.ts";
import { RepositoryCopy } from "./support/repositoryCopy.ts";

const FACTS = "schemas/vectors/deferred-turn-facts.v1.json";

function failureAfter(file: string, before: string, after: string): () => void {
  const copy = new RepositoryCopy();
  copy.edit(file, before, after);
  return () => checkVectors(copy.root, readContracts(copy.root));
}

describe("the files of the conformance corpus", () => {
  it("are described by their schema", () => {
    const copy = new RepositoryCopy();
    expect(() => checkVectors(copy.root, readContracts(copy.root))).not.toThrow();
  });

  it.each([
    ["a member that a case does not have", '"valid": true', '"valid": true, "validd": true', "/cases/0"],
    ["a verdict that is none", '"valid": true', '"valid": "yes"', "/cases/0/valid: must be boolean"],
    ["a name that is no slug", '"name": "every-field"', '"name": "every field"', "/cases/0/name: must match pattern"],
    [
      "a contract that is not there",
      '"contract": "deferred-turn-facts.v1"',
      '"contract": "facts.v1"',
      "no contract facts.v1",
    ],
  ])("fail the generation with %s", (_what, before, after, sentence) => {
    const failure = failureAfter(FACTS, before, after);
    expect(failure).toThrow(FACTS);
    expect(failure).toThrow(sentence);
  });

  it("give a case one document and a statement one form", () => {
    const both = failureAfter(FACTS, '"valid": true', '"valid": true, "text": "{}", "document": {}');
    expect(both).toThrow("/cases/0");
    const life = "schemas/vectors/database-life.json";
    expect(failureAfter(life, '"sql":', '"insert": {}, "sql":')).toThrow("/cases/0");
  });
});
