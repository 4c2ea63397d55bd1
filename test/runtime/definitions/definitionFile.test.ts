import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { DEFINITION_MAX_BYTES } from "../../../src/contracts/contractText.ts";
import { parseWorkflowDefinition } from "../../../src/runtime/definitions/definitionFile.ts";
import { thrownBy } from "../../contracts/support/thrown.ts";

const EXAMPLES = fileURLToPath(new URL("../../../examples/workflows", import.meta.url));
const PATH = ".pi/workflows/flow.json";
const ask = { kind: "wait", id: "ask", question: "Go on?" };

function text(changes: object = {}): string {
  return JSON.stringify({ name: "flow", steps: [ask], ...changes });
}

function refusal(definition: string): unknown {
  return thrownBy(() => parseWorkflowDefinition(definition, PATH));
}

describe("a workflow definition", () => {
  it.each(readdirSync(EXAMPLES))("in examples/workflows/%s can be used", (file) => {
    const path = join(EXAMPLES, file);
    const definition = parseWorkflowDefinition(readFileSync(path, "utf8"), path);
    expect(`${definition.name}.json`).toBe(file);
  });

  it("is what its file says", () => {
    expect(parseWorkflowDefinition(text({ description: "Asks." }), PATH)).toEqual({
      name: "flow",
      description: "Asks.",
      steps: [ask],
    });
  });

  it("is refused with the file, the place in it and the reason", () => {
    expect(refusal(text({ steps: [{ ...ask, question: "" }] }))).toMatchObject({
      code: "DEFINITION_INVALID",
      path: "/steps/0/question",
      message: `Invalid workflow definition ${PATH}: /steps/0/question must have at least 1 character.`,
    });
  });

  it("is refused with the place of a syntax error", () => {
    expect(refusal('{"name": "flow",}')).toMatchObject({
      code: "DEFINITION_INVALID",
      message: expect.stringMatching(/flow\.json: the text is no JSON\. .*position 16/),
    });
  });

  it("has the name of its file", () => {
    expect(refusal(text({ name: "other" }))).toMatchObject({
      path: "/name",
      message: `The workflow definition ${PATH} is invalid: /name is "other", but the file has the name of "flow".`,
    });
  });

  it("has no two steps with the same id", () => {
    expect(refusal(text({ steps: [ask, { ...ask, id: "again" }, ask] }))).toMatchObject({
      code: "DEFINITION_INVALID",
      path: "/steps/2/id",
      message: expect.stringContaining('/steps/2/id is "ask", as that of an earlier step.'),
    });
  });

  it("has no field twice", () => {
    expect(refusal(text().replace("{", '{"name":"flow",'))).toMatchObject({ path: "/name" });
  });

  it.each([
    ["/presentation", { presentation: "{{#input.a}}" }],
    ["/steps/0/question", { steps: [{ ...ask, question: "{{input.a" }] }],
    ["/steps/0/prompt", { steps: [{ kind: "agent", id: "a", prompt: "{{/a}}" }] }],
    ["/steps/0/recovery/prompt", { steps: [{ kind: "agent", id: "a", prompt: "p", recovery: { prompt: "{{#a}}" } }] }],
    ["/steps/0/argv/1", { steps: [{ kind: "command", id: "a", argv: ["echo", "{{#a}}{{/b}}"] }] }],
    ["/steps/0/content", { steps: [{ kind: "notify", id: "a", notification: "final", content: "{{> b}}" }] }],
  ])("has no template with a syntax error: %s", (path, changes) => {
    expect(refusal(text(changes))).toMatchObject({ code: "DEFINITION_INVALID", path });
  });

  it.each([
    ["/input/type", { type: "strng" }],
    ["/input/properties/a~1b/pattern", { properties: { "a/b": { pattern: "(" } } }],
    ["/input/patternProperties/[", { patternProperties: { "[": true } }],
    ["/input/$ref", { $ref: "#/definitions/none" }],
    ["/input/anyOf/0/$ref", { anyOf: [{ $ref: "other.json" }] }],
  ])("has an input schema that can be used: %s", (path, input) => {
    expect(refusal(text({ input }))).toMatchObject({ code: "DEFINITION_INVALID", path });
  });

  it("may name a field of its input like a keyword", () => {
    const input = { properties: { pattern: { type: "string" }, $ref: { enum: ["("] }, properties: { const: 1 } } };
    expect(parseWorkflowDefinition(text({ input }), PATH).input).toEqual(input);
  });

  it("is refused when its file is too large or nested without measure", () => {
    expect(refusal(text({ description: "x".repeat(DEFINITION_MAX_BYTES) }))).toMatchObject({
      code: "DEFINITION_INVALID",
      message: expect.stringContaining("are more than 262144"),
    });
    const depth = 30_000;
    const nested = `{"name":"flow","steps":[],"input":${'{"not":'.repeat(depth)}{}${"}".repeat(depth + 1)}`;
    expect(refusal(nested)).toMatchObject({ code: "DEFINITION_INVALID" });
  });
});
