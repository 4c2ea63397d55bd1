import { Errors } from "typebox/value";
import type { WorkflowDefinition } from "../../../generated/contracts.ts";
import { DeferredTurnsError } from "../../contracts/errors.ts";
import { inputSchemaFlaw } from "./inputSchema.ts";

type Violation = ReturnType<typeof Errors>[number];

/**
 * Checks the input of a run against the workflow's own input schema. A workflow without one takes any input.
 *
 * @throws DeferredTurnsError `INPUT_INVALID` with the path of what is wrong in the input; `DEFINITION_INVALID` when the
 *   schema cannot be used
 */
export function checkInput({ name, input: schema }: WorkflowDefinition, input: unknown): void {
  if (schema === undefined) return;
  const [first, ...others] = violations(name, schema, input);
  if (first === undefined) return;
  const { path, reason } = describe(others.reduce(broader, first));
  throw new DeferredTurnsError({
    code: "INPUT_INVALID",
    message: `The input of the workflow ${name} is invalid: ${path === "" ? "it" : path} ${reason}.`,
    path,
  });
}

function violations(name: string, schema: Readonly<Record<string, unknown>>, input: unknown): readonly Violation[] {
  const flaw = inputSchemaFlaw(schema);
  if (flaw !== undefined) throw unusable(name, `/input${flaw.path}`, flaw.reason);
  try {
    return Errors(schema, input);
  } catch (cause) {
    if (cause instanceof RangeError) throw unusable(name, "/input", "refers to itself without an end", cause);
    throw cause;
  }
}

function unusable(name: string, path: string, reason: string, cause?: unknown): DeferredTurnsError {
  const message = `The definition of the workflow ${name} is invalid: ${path} ${reason}.`;
  return new DeferredTurnsError({ code: "DEFINITION_INVALID", message, path, cause });
}

/** Of a union, the union itself and not its first branch; of fields that nobody knows, the object that has them. */
function broader(first: Violation, second: Violation): Violation {
  return depth(second) < depth(first) ? second : first;
}

function depth({ schemaPath }: Violation): number {
  return schemaPath.split("/").length;
}

function describe(violation: Violation): { readonly path: string; readonly reason: string } {
  const { keyword, instancePath, message, params } = violation;
  if (keyword === "required") return { path: field(instancePath, params.requiredProperties), reason: "is missing" };
  if (keyword === "additionalProperties") {
    return { path: field(instancePath, params.additionalProperties), reason: "is not a field of this input" };
  }
  return { path: instancePath, reason: keyword === "boolean" ? "is not allowed" : message };
}

function field(instancePath: string, names: readonly string[]): string {
  const [name = ""] = names;
  return `${instancePath}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
