import { describe, expect, it } from "vitest";
import type { WorkflowDefinition } from "../../../generated/contracts.ts";
import { checkInput } from "../../../src/runtime/definitions/inputCheck.ts";
import { thrownBy } from "../../contracts/support/thrown.ts";

type InputSchema = NonNullable<WorkflowDefinition["input"]>;

function check(schema: InputSchema, input: unknown): void {
  checkInput({ name: "flow", input: schema, steps: [{ kind: "wait", id: "ask", question: "Go on?" }] }, input);
}

function refusal(schema: InputSchema, input: unknown): unknown {
  return thrownBy(() => check(schema, input));
}

const SCOPE = {
  type: "object",
  required: ["scope"],
  additionalProperties: false,
  properties: { scope: { type: "string", minLength: 1 }, files: { type: "array", items: { type: "string" } } },
} as const;

describe("the input of a run", () => {
  it("is anything where the workflow does not say what it takes", () => {
    for (const input of [undefined, null, 1, "text", {}, []]) {
      expect(() => checkInput({ name: "flow", steps: [] }, input)).not.toThrow();
    }
  });

  it("is taken when it matches the workflow's input schema", () => {
    expect(() => check(SCOPE, { scope: "src", files: ["a"] })).not.toThrow();
  });

  it.each([
    [{}, "/scope", "/scope is missing."],
    [{ scope: "" }, "/scope", "/scope must not have fewer than 1 characters."],
    [{ scope: "src", files: ["a", 1] }, "/files/1", "/files/1 must be string."],
    [{ scope: "src", "a/b": 1 }, "/a~1b", "/a~1b is not a field of this input."],
    ["src", "", "it must be object."],
    [undefined, "", "it must be object."],
  ])("is refused with the path of what is wrong: %j", (input, path, reason) => {
    expect(refusal(SCOPE, input)).toMatchObject({
      code: "INPUT_INVALID",
      path,
      message: `The input of the workflow flow is invalid: ${reason}`,
    });
  });

  it("is refused by a union as a whole, and not by its first branch", () => {
    const union = { properties: { at: { anyOf: [{ type: "string" }, { type: "object", required: ["line"] }] } } };
    expect(refusal(union, { at: {} })).toMatchObject({
      code: "INPUT_INVALID",
      path: "/at",
      message: expect.stringContaining("anyOf"),
    });
  });

  it("is checked against definitions that the schema refers to, also recursive ones", () => {
    const tree = {
      $ref: "#/definitions/tree",
      definitions: { tree: { type: "object", properties: { next: { $ref: "#/definitions/tree" } } } },
    };
    expect(() => check(tree, { next: { next: {} } })).not.toThrow();
    expect(refusal(tree, { next: { next: 1 } })).toMatchObject({ code: "INPUT_INVALID", path: "/next/next" });
  });

  it.each([
    ["/input/properties/a/pattern", { properties: { a: { pattern: "(" } } }],
    ["/input/$ref", { $ref: "#/definitions/none" }],
    ["/input", { $ref: "#" }],
    ["/input", { allOf: [{ $ref: "#/definitions/a" }], definitions: { a: { $ref: "#/definitions/a" } } }],
  ])("cannot be checked by a schema that is broken: %s", (path, schema) => {
    expect(refusal(schema, "x")).toMatchObject({ code: "DEFINITION_INVALID", path });
  });
});
