import type { TurnIntentCause } from "../../generated/contracts.ts";
import { cleanText, onOneLine } from "./untrustedText.ts";
import { FACTS_HEADING, HANDOFF, OBSERVATIONS, REQUEST } from "./wording.ts";

/** The facts of a fallback, by the names that its text gives them. */
export type FallbackFactName = "workflow" | "run" | "node" | "attempt" | "cause" | "state" | "reason";

/** What the text of a fallback says, read back to be shown to a person. All of it is clean; it may still lie. */
export interface FallbackReading {
  readonly cause: TurnIntentCause;
  readonly observation: string;
  /** In the text's order. Each is one line, but for the reason, whose line breaks are kept. */
  readonly facts: ReadonlyMap<FallbackFactName, string>;
  /** Whether another runner can continue the run. */
  readonly handoff: boolean;
  /** What the agent was asked to do. */
  readonly request: string;
}

const FACT_LINE = /^- (workflow|run|node|attempt|cause|state|reason): (.+)$/u;

/**
 * Reads the text that `fallbackMessage` writes. Undefined for any other text, one of a later version included: whoever
 * shows that shows it as it stands.
 */
export function readFallbackText(text: string): FallbackReading | undefined {
  const [observation = "", factList = "", ...rest] = text.split("\n\n");
  const cause = causeOf(observation);
  const facts = readFacts(factList);
  const handoff = rest.length === 2 && rest[0] === HANDOFF;
  const isWhole = rest.at(-1) === REQUEST && rest.length === (handoff ? 2 : 1);
  if (cause === undefined || facts === undefined || !isWhole) return undefined;
  return { cause, observation, facts, handoff, request: REQUEST };
}

function causeOf(observation: string): TurnIntentCause | undefined {
  const causes = Object.keys(OBSERVATIONS) as readonly TurnIntentCause[];
  return causes.find((cause) => OBSERVATIONS[cause] === observation);
}

function readFacts(list: string): ReadonlyMap<FallbackFactName, string> | undefined {
  const [heading, ...lines] = list.split("\n");
  if (heading !== FACTS_HEADING) return undefined;
  const facts = new Map<FallbackFactName, string>();
  for (const line of lines) {
    const [, name, written = ""] = FACT_LINE.exec(line) ?? [];
    const value = name === "cause" ? written : unquoted(written);
    if (name === undefined || value === undefined) return undefined;
    facts.set(name as FallbackFactName, name === "reason" ? cleanText(value) : onOneLine(cleanText(value)));
  }
  return facts;
}

function unquoted(written: string): string | undefined {
  try {
    const value: unknown = JSON.parse(written);
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}
