import mustache from "mustache";
import { DeferredTurnsError } from "../../contracts/errors.ts";
import { StrictContext, StrictWriter } from "./strictMustache.ts";

/** What the templates of a run can name. All of it is plain JSON data. */
export interface TemplateValues {
  readonly input: unknown;
  /** The results of earlier steps, by step id. */
  readonly steps: Readonly<Record<string, unknown>>;
}

/** Limit of what a template becomes, in UTF-16 units. */
export const RENDERED_MAX_LENGTH = 262_144;

type Token = readonly [type: string, text: string, start: number, end: number, inner?: unknown];

/**
 * Fills a Mustache template with values of the run.
 *
 * Text stands as it is, without escaping; any other value as JSON. A name finds only what the data itself holds. A
 * value that is missing is an error, but a section (`{{#name}}…{{/name}}`, `{{^name}}…{{/name}}`) may ask for it.
 *
 * @throws DeferredTurnsError `TEMPLATE_FAILED` for a missing value, a broken template, or more than
 *   `RENDERED_MAX_LENGTH` UTF-16 units
 */
export function renderTemplate(template: string, values: TemplateValues): string {
  const flaw = templateFlaw(template);
  if (flaw !== undefined) throw failure(`The template ${flaw}.`);
  const writer = new StrictWriter({ maxLength: RENDERED_MAX_LENGTH, fail: failure });
  return writer.render(template, new StrictContext({ input: values.input, steps: values.steps }));
}

/** What is wrong with the syntax of a template, as the end of a sentence; undefined when nothing is. */
export function templateFlaw(template: string): string | undefined {
  try {
    return partialIn(mustache.parse(template) as readonly Token[]);
  } catch (error) {
    return `has a syntax error: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function partialIn(tokens: readonly Token[]): string | undefined {
  for (const [type, text, , , inner] of tokens) {
    if (type === ">") return `includes the partial "${text}", and there are none`;
    const flaw = Array.isArray(inner) ? partialIn(inner) : undefined;
    if (flaw !== undefined) return flaw;
  }
  return undefined;
}

function failure(message: string): DeferredTurnsError {
  return new DeferredTurnsError({ code: "TEMPLATE_FAILED", message });
}
