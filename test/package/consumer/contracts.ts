// What a program does with contracts alone: no Pi, no SQLite, no other package.
import { readFileSync } from "node:fs";
import {
  type DeferredTurnFacts,
  DeferredTurnsError,
  parseContractText,
  sourceEventId,
  turnIntentId,
} from "pi-deferred-turns/contracts";
import schema from "pi-deferred-turns/schemas/deferred-turn-facts.v1.schema.json" with { type: "json" };
import {
  deferredTurnFactsViolations,
  isDeferredTurnFacts,
  isNaturalMessageDetails,
} from "pi-deferred-turns/validators";
import rules from "pi-deferred-turns/vectors/rules.json" with { type: "json" };

export function causeOf(value: unknown): DeferredTurnFacts["cause"] | undefined {
  return isDeferredTurnFacts(value) ? value.cause : undefined;
}

// @ts-expect-error: an identity has six parts.
export const incomplete = (): string => turnIntentId({ runId: "run-1" });

function codeOfRefusal(): string {
  try {
    parseContractText("deferred-turn-facts.v1", "[]");
    return "none";
  } catch (error) {
    return error instanceof DeferredTurnsError ? error.code : "unknown";
  }
}

console.log(
  JSON.stringify({
    natural: isNaturalMessageDetails({ turnIntentId: `deferred-turn:${"0".repeat(64)}` }),
    violations: deferredTurnFactsViolations(1).length,
    sourceEventId: sourceEventId({ kind: "attempt", runId: "run-1", nodeId: "build", attemptId: "attempt-1" }),
    refusal: codeOfRefusal(),
    schema: schema.$id,
    rules: rules.kind,
    guarded: readFileSync(new URL(import.meta.resolve("pi-deferred-turns/ddl.sql")), "utf8").includes("CREATE TRIGGER"),
  }),
);
