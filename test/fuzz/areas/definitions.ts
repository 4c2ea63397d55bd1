import type fc from "fast-check";
import { DEFINITION_MAX_BYTES } from "../../../src/contracts/contractText.ts";
import { DeferredTurnsError } from "../../../src/contracts/errors.ts";
import { documents } from "../documents/documents.ts";
import { validDefinition } from "../documents/validValues.ts";
import { shown, type Trial, violationOf } from "../finding.ts";
import type { FuzzWorld } from "../fuzzWorld.ts";
import { compare, type JudgedOpinion } from "../judges/admitted.ts";
import { failure, type Opinion, opinionOfCheck, verdict } from "../judges/opinions.ts";
import type { Product } from "../judges/product.ts";
import { keepsContract, traitsOf } from "../reference/documentRules.ts";

/** Workflow definitions: whether they keep their contract. What else the parser asks of them is not judged here. */
export function definitionTrials({ product }: FuzzWorld): fc.Arbitrary<Trial> {
  return documents({ valid: validDefinition, maxBytes: DEFINITION_MAX_BYTES }).map(({ kind, text }) => () => {
    const traits = traitsOf(text, DEFINITION_MAX_BYTES);
    const expected = verdict(keepsContract("workflow-definition", traits));
    const opinions: readonly JudgedOpinion[] = [
      { judge: "parser", expected, said: contractOpinion(product, text) },
      { judge: "validator", expected, said: opinionOfCheck(() => product.isDefinition(traits.value)) },
    ];
    const comparison = compare(opinions, traits);
    const violation = violationOf(
      "definitionVerdictsDiffer",
      () => [`  definition: ${shown(text)}`],
      opinions,
      comparison,
    );
    return { area: "definitions", kind, verdict: expected, admitted: comparison.admitted, violation };
  });
}

/** The parser's opinion on the contract alone: a definition that it refuses for another reason keeps it. */
function contractOpinion(product: Product, text: string): Opinion {
  try {
    product.parseDefinition(text);
    return "accepted";
  } catch (error) {
    if (!(error instanceof DeferredTurnsError) || error.code !== "DEFINITION_INVALID") return failure(error);
    return verdict(error.cause === undefined);
  }
}
