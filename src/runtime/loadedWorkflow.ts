import type { WorkflowDefinition } from "../../generated/contracts.ts";
import { checkInput } from "./definitions/inputCheck.ts";
import { renderTemplate } from "./definitions/template.ts";
import type { RunProgress } from "./runProgress.ts";

/** A run's definition together with its input, which fits it. */
export class LoadedWorkflow {
  readonly definition: WorkflowDefinition;
  readonly #input: unknown;

  /** Throws INPUT_INVALID for an input that the definition does not take. */
  constructor(definition: WorkflowDefinition, inputJson: string) {
    const input: unknown = JSON.parse(inputJson);
    checkInput(definition, input);
    this.definition = definition;
    this.#input = input;
  }

  /** A text of the definition with the run's values. Throws TEMPLATE_FAILED for one that is missing. */
  render(template: string, { steps }: RunProgress): string {
    return renderTemplate(template, { input: this.#input, steps });
  }
}
