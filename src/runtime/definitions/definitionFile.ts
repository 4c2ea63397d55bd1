import { basename } from "node:path";
import type { WorkflowDefinition, WorkflowStep } from "../../../generated/contracts.ts";
import { workflowDefinitionViolations } from "../../../generated/validateWorkflowDefinition.ts";
import { DEFINITION_MAX_BYTES } from "../../contracts/contractText.ts";
import { readContract } from "../../contracts/contractValue.ts";
import { DeferredTurnsError } from "../../contracts/errors.ts";
import { inputSchemaFlaw } from "./inputSchema.ts";
import { templateFlaw } from "./template.ts";

/** What follows the workflow's name in the name of its file. */
export const DEFINITION_SUFFIX = ".json";

/** Something wrong in a definition, and where, as a JSON pointer. */
interface Flaw {
  readonly path: string;
  readonly reason: string;
}

/**
 * Reads a workflow definition from the text of its file, and checks everything that can be checked without a run: the
 * contract, that the file has the workflow's name, that no two steps have the same id, the syntax of the templates,
 * and that the input schema can be used.
 *
 * @param path the file, as errors name it; its name counts, and it is not read
 * @throws DeferredTurnsError `DEFINITION_INVALID`, with the place in the file as `path`
 */
export function parseWorkflowDefinition(text: string, path: string): WorkflowDefinition {
  const definition = readDefinition(text, path);
  const flaw = nameFlaw(definition, path) ?? stepIdFlaw(definition) ?? textFlaw(definition) ?? schemaFlaw(definition);
  if (flaw === undefined) return definition;
  const message = `The workflow definition ${path} is invalid: ${flaw.path} ${flaw.reason}.`;
  throw new DeferredTurnsError({ code: "DEFINITION_INVALID", message, path: flaw.path });
}

function readDefinition(text: string, path: string): WorkflowDefinition {
  try {
    return readContract(text, {
      name: `workflow definition ${path}`,
      maxBytes: DEFINITION_MAX_BYTES,
      violations: workflowDefinitionViolations,
    }) as WorkflowDefinition;
  } catch (cause) {
    throw invalid(cause, path);
  }
}

/** The same error with the code of a definition; a definition that is nested too deep to be read is broken, too. */
function invalid(cause: unknown, path: string): unknown {
  const code = "DEFINITION_INVALID";
  if (cause instanceof RangeError) {
    const message = `The workflow definition ${path} is invalid: its objects are nested too deep.`;
    return new DeferredTurnsError({ code, message, path: "", cause });
  }
  if (!(cause instanceof DeferredTurnsError)) return cause;
  const syntax = cause.cause instanceof SyntaxError ? ` ${cause.cause.message}.` : "";
  return new DeferredTurnsError({ code, message: `${cause.message}${syntax}`, path: cause.path, cause });
}

function nameFlaw({ name }: WorkflowDefinition, path: string): Flaw | undefined {
  const expected = basename(path, DEFINITION_SUFFIX);
  if (name === expected) return undefined;
  return { path: "/name", reason: `is "${name}", but the file has the name of "${expected}"` };
}

function stepIdFlaw({ steps }: WorkflowDefinition): Flaw | undefined {
  const ids = steps.map(({ id }) => id);
  const index = ids.findIndex((id, place) => ids.indexOf(id) < place);
  if (index === -1) return undefined;
  return { path: `/steps/${index}/id`, reason: `is "${ids[index]}", as that of an earlier step` };
}

function textFlaw({ steps, presentation }: WorkflowDefinition): Flaw | undefined {
  const templates = [
    ...steps.flatMap((step, index) =>
      stepTemplates(step).map(([path, text]) => [`/steps/${index}${path}`, text] as const),
    ),
    ...(presentation === undefined ? [] : [["/presentation", presentation] as const]),
  ];
  for (const [path, text] of templates) {
    const reason = templateFlaw(text);
    if (reason !== undefined) return { path, reason };
  }
  return undefined;
}

function stepTemplates(step: WorkflowStep): readonly (readonly [path: string, text: string])[] {
  switch (step.kind) {
    case "agent":
      return [
        ["/prompt", step.prompt],
        ...(step.recovery === undefined ? [] : [["/recovery/prompt", step.recovery.prompt] as const]),
      ];
    case "command":
      return step.argv.map((text, index) => [`/argv/${index}`, text]);
    case "notify":
      return [["/content", step.content]];
    case "wait":
      return [["/question", step.question]];
  }
}

function schemaFlaw({ input }: WorkflowDefinition): Flaw | undefined {
  const flaw = input === undefined ? undefined : inputSchemaFlaw(input);
  return flaw === undefined ? undefined : { ...flaw, path: `/input${flaw.path}` };
}
