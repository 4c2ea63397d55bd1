import type fc from "fast-check";
import { documents } from "../documents/documents.ts";
import { validMessageDetails, validNaturalDetails } from "../documents/validValues.ts";
import { shown, type Trial, violationOf } from "../finding.ts";
import type { FuzzWorld } from "../fuzzWorld.ts";
import { compare, type JudgedOpinion } from "../judges/admitted.ts";
import { opinionOfCheck, opinionOfParser, verdict } from "../judges/opinions.ts";
import { keepsContract, traitsOf } from "../reference/documentRules.ts";

const MAX_BYTES = 65_536;

/** Details of fallback messages. */
export function messageTrials({ product }: FuzzWorld): fc.Arbitrary<Trial> {
  return documents({ valid: validMessageDetails, maxBytes: MAX_BYTES }).map(({ kind, text }) => () => {
    const traits = traitsOf(text, MAX_BYTES);
    const { value } = traits;
    const expected = verdict(keepsContract("deferred-turn-message", traits));
    const opinions: readonly JudgedOpinion[] = [
      { judge: "parser", expected, said: opinionOfParser(() => product.parseMessageDetails(text)) },
      {
        judge: "parser of values",
        expected,
        said: typeof value === "string" ? "refused" : opinionOfParser(() => product.parseMessageDetails(value)),
      },
      { judge: "validator", expected, said: opinionOfCheck(() => product.isMessageDetails(value)) },
    ];
    const comparison = compare(opinions, traits);
    const violation = violationOf("messageVerdictsDiffer", () => [`  details: ${shown(text)}`], opinions, comparison);
    return { area: "fallback details", kind, verdict: expected, admitted: comparison.admitted, violation };
  });
}

/** Details of natural messages. */
export function naturalTrials({ product }: FuzzWorld): fc.Arbitrary<Trial> {
  return documents({ valid: validNaturalDetails, maxBytes: MAX_BYTES }).map(({ kind, text }) => () => {
    const traits = traitsOf(text, MAX_BYTES);
    const { value } = traits;
    const expected = verdict(keepsContract("natural-message-details", traits));
    const opinions: readonly JudgedOpinion[] = [
      { judge: "parser", expected, said: opinionOfParser(() => product.parseNaturalDetails(text)) },
      { judge: "validator", expected, said: opinionOfCheck(() => product.isNaturalDetails(value)) },
      {
        judge: "scan of the session",
        expected,
        said: opinionOfCheck(() => product.turnIntentIdIn(value) !== undefined),
      },
    ];
    const comparison = compare(opinions, traits);
    const violation = violationOf("naturalVerdictsDiffer", () => [`  details: ${shown(text)}`], opinions, comparison);
    return { area: "natural details", kind, verdict: expected, admitted: comparison.admitted, violation };
  });
}
