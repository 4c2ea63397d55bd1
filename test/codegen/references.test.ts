import { describe, expect, it } from "vitest";
import { withoutReferences } from "../../codegen/contracts/references.ts";
import type { JsonSchema } from "../../codegen/model.ts";
import { RepositoryCopy } from "./support/repositoryCopy.ts";

function written(schema: JsonSchema): JsonSchema {
  return withoutReferences({ file: "schemas/x.schema.json", name: "x", typeName: "X", schema });
}

const leaf: JsonSchema = { type: "string", maxLength: 3 };

describe("a contract's definitions", () => {
  it("are written out where they are used, also inside each other", () => {
    const list: JsonSchema = { type: "array", items: { $ref: "#/definitions/leaf" } };
    const properties = { a: { $ref: "#/definitions/list" }, b: { oneOf: [{ $ref: "#/definitions/leaf" }] } };
    expect(written({ properties, definitions: { leaf, list } })).toEqual({
      properties: { a: { type: "array", items: leaf }, b: { oneOf: [leaf] } },
    });
  });

  it("stay definitions where they contain themselves, directly or through others", () => {
    const tree: JsonSchema = {
      properties: { next: { $ref: "#/definitions/branch" }, name: { $ref: "#/definitions/leaf" } },
    };
    const branch: JsonSchema = { items: { $ref: "#/definitions/tree" } };
    expect(written({ items: { $ref: "#/definitions/tree" }, definitions: { leaf, tree, branch } })).toEqual({
      items: { $ref: "#/definitions/tree" },
      definitions: { tree: { properties: { next: { $ref: "#/definitions/branch" }, name: leaf } }, branch },
    });
  });

  it("leave a field alone that has the name of a keyword", () => {
    const schema: JsonSchema = { properties: { $ref: leaf, not: leaf, definitions: leaf, title: leaf } };
    expect(written(schema)).toEqual(schema);
  });

  it("fail the generation when a reference names none of them", () => {
    const copy = new RepositoryCopy();
    copy.edit(
      "schemas/workflow-definition.v1.schema.json",
      '"$ref": "#/definitions/step"',
      '"$ref": "#/definitions/stp"',
    );
    expect(copy.generate()).toEqual({
      status: 1,
      output: "schemas/workflow-definition.v1.schema.json: #/definitions/stp is no definition of this file.\n",
    });
  });

  it("are told to reviewers one by one, under the contract", () => {
    const page = new RepositoryCopy().read("generated/CONTRACTS.md");
    const [, definition = ""] = page.split("### WorkflowDefinition\n");
    expect(definition).toContain("| `steps` | yes | must be of type array; must have at least 1 item;");
    expect(definition).toContain(
      "#### WorkflowStep\n\nOne step of a workflow. Its kind says what is done.\n\nOne of `AgentStep`, ",
    );
    expect(definition).toContain("#### AgentStepRecovery\n");
  });
});
