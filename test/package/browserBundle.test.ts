import { createContext, Script } from "node:vm";
import { build, type Plugin } from "vite";
import { beforeAll, describe, expect, it } from "vitest";
import type { ContractName } from "../../src/contracts/contractText.ts";
import { REPOSITORY } from "../codegen/support/repositoryCopy.ts";
import { CONTRACT_CASES } from "../conformance/support/corpus.ts";

const GUARDS: Readonly<Record<ContractName, string>> = {
  "deferred-turn-facts.v1": "isDeferredTurnFacts",
  "deferred-turn-message.v1": "isDeferredTurnMessageDetails",
  "natural-message-details.v1": "isNaturalMessageDetails",
  "workflow-definition.v1": "isWorkflowDefinition",
};

/** Fails on everything that is not a file of this repository: a package, or a part of Node. */
const nothingElse: Plugin = {
  name: "nothing-else",
  enforce: "pre",
  resolveId(id, importer) {
    if (importer === undefined || id.startsWith(".")) return null;
    throw new Error(`${importer} needs ${id}.`);
  },
};

/** One script that a browser runs, made of a module and everything that it imports. */
async function bundle(entry: string): Promise<string> {
  const output = await build({
    root: REPOSITORY,
    configFile: false,
    logLevel: "error",
    plugins: [nothingElse],
    build: { write: false, minify: false, lib: { entry, formats: ["iife"], name: "validators" } },
  });
  const [result] = [output].flat();
  if (result === undefined || !("output" in result)) throw new Error("Vite wrote nothing.");
  expect(result.output).toHaveLength(1);
  return result.output[0].code;
}

/** Documents that are JSON: a browser has parsed them before it asks a validator. */
const DOCUMENTS = CONTRACT_CASES.flatMap(({ id, contract, input, rule, valid }) => {
  const schemaDecides = !["json-text", "utf-8", "field-once", "text-bytes"].includes(rule);
  return schemaDecides && "text" in input ? [{ id, guard: GUARDS[contract], text: input.text, valid }] : [];
});

describe("the validators in a browser", () => {
  let code = "";
  beforeAll(async () => {
    code = await bundle("generated/validators.ts");
  });

  it("are one script that imports nothing", () => {
    expect(code).not.toMatch(/\b(?:import|require)\b\s*[("']/);
  });

  it("decide the corpus in a realm that has the language and nothing else", () => {
    const context = createContext(Object.create(null));
    new Script(code).runInContext(context);
    const decide = new Script("(guard, text) => validators[guard](JSON.parse(text))").runInContext(context);
    const wrong = DOCUMENTS.filter(({ guard, text, valid }) => decide(guard, text) !== valid);
    expect(wrong.map(({ id }) => id)).toEqual([]);
    expect(DOCUMENTS.length).toBeGreaterThan(400);
  });

  it("are what this test can refuse: the store needs a part of Node", async () => {
    await expect(bundle("src/store/projectStorePath.ts")).rejects.toThrow("needs node:fs");
  });
});
