import { DeferredTurnsError } from "../contracts/errors.ts";

/** A workflow of one agent step. */
export interface OneStepWorkflow {
  /** How it is listed and spoken of: letters, digits, `-`, `_` and `.`, at most 64. */
  readonly name: string;
  /** What the agent is asked to do in the step. */
  readonly prompt: string;
}

/** The node of the one step. */
export const STEP_NODE_ID = "step";

const NAME_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

const PROMPT_MAX_LENGTH = 32_768;

/** Checks what a caller asks for. Throws INVALID_ARGUMENT with the path of what is wrong. */
export function oneStepWorkflow(name: unknown, prompt: unknown): OneStepWorkflow {
  if (typeof name !== "string" || !NAME_PATTERN.test(name)) {
    const message =
      'The workflow needs a name of letters, digits, ".", "_" and "-", at most 64, that begins with a letter or digit.';
    throw new DeferredTurnsError({ code: "INVALID_ARGUMENT", message, path: "/name" });
  }
  if (typeof prompt !== "string" || prompt.trim() === "" || prompt.length > PROMPT_MAX_LENGTH) {
    const message = `The workflow's prompt must say what the step is to do, in at most ${PROMPT_MAX_LENGTH} characters.`;
    throw new DeferredTurnsError({ code: "INVALID_ARGUMENT", message, path: "/prompt" });
  }
  return { name, prompt };
}

/** Reads a workflow back from a run's row. Throws INVALID_ARGUMENT when another program wrote something else there. */
export function parseOneStepWorkflow(sourceJson: string): OneStepWorkflow {
  const source: unknown = JSON.parse(sourceJson);
  const { name, prompt } = (source ?? {}) as { readonly name?: unknown; readonly prompt?: unknown };
  return oneStepWorkflow(name, prompt);
}
