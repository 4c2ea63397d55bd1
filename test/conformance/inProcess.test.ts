import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { ConformanceCase, IdentityCase } from "../../src/conformance/corpus.ts";
import { type Answered, judge } from "../../src/conformance/judgement.ts";
import { readKnownDeviations } from "../../src/conformance/knownDeviations.ts";
import { rightDecision } from "../../src/conformance/protocol.ts";
import { parseContractText } from "../../src/contracts/contractText.ts";
import { DeferredTurnsError } from "../../src/contracts/errors.ts";
import { resolutionMessageId, sourceEventId, turnIntentId } from "../../src/contracts/identity.ts";
import { CONTRACT_CASES, CORPUS, DATABASE_CASES, IDENTITY_CASES } from "./support/corpus.ts";
import { DDL, GuardedDatabase, refusalOfFacts } from "./support/sqlite.ts";

/** The answers to cases, and what of them is not right. */
function deviations<Case extends ConformanceCase>(
  cases: readonly Case[],
  decide: (asked: Case) => string,
  known: Parameters<typeof judge>[1] = [],
): Pick<ReturnType<typeof judge>, "deviations" | "gone"> {
  const answers = cases.map((asked): Answered => ({ asked, answer: { kind: "decision", decision: decide(asked) } }));
  const { deviations: unknown, gone } = judge(answers, known);
  return { deviations: unknown, gone };
}

const NONE = { deviations: [], gone: [] };

/** What is thrown for a contract's sake is a refusal; anything else is a defect. */
function decided(attempt: () => string, refused: string): string {
  try {
    return attempt();
  } catch (error) {
    if (error instanceof DeferredTurnsError && error.code === "CONTRACT_VIOLATION") return refused;
    throw error;
  }
}

const IDENTITIES: Readonly<Record<IdentityCase["function"], (parts: never) => string>> = {
  turnIntentId,
  sourceEventId,
  resolutionMessageId: ({ intentId, resolution }: { readonly intentId: string; readonly resolution: "fallback" }) =>
    resolutionMessageId(intentId, resolution),
};

const FACTS_CASES = CONTRACT_CASES.filter(({ contract }) => contract === "deferred-turn-facts.v1");

describe("TypeScript decides as the corpus says", () => {
  it("on every document of every contract", () => {
    const decide = ({ contract, input }: (typeof CONTRACT_CASES)[number]): string =>
      decided(() => {
        parseContractText(contract, "text" in input ? input.text : Buffer.from(input.base64, "base64"));
        return "valid";
      }, "invalid");
    expect(deviations(CONTRACT_CASES, decide)).toEqual(NONE);
  });

  it("on every identity", () => {
    const decide = (asked: IdentityCase): string =>
      decided(() => IDENTITIES[asked.function](asked.parts as never), "refused");
    expect(deviations(IDENTITY_CASES, decide)).toEqual(NONE);
  });
});

describe("SQLite decides as the corpus says", () => {
  it("on every statement", () => {
    const database = new GuardedDatabase(DDL);
    const decide = (asked: (typeof DATABASE_CASES)[number]): string =>
      database.refusal(asked) === undefined ? "accepted" : "refused";
    expect(deviations(DATABASE_CASES, decide)).toEqual(NONE);
    database.close();
  });

  it("on every text of the facts, but for bytes that it cannot tell from UTF-8", () => {
    const list = readFileSync(new URL("sqlite.known.json", import.meta.url), "utf8");
    const known = readKnownDeviations(list, new Set(CORPUS.cases.map(({ id }) => id)));
    const decide = (asked: (typeof FACTS_CASES)[number]): string =>
      refusalOfFacts(asked) === undefined ? "valid" : "invalid";
    expect(deviations(FACTS_CASES, decide, known)).toEqual(NONE);
  });

  it("and for the reason that the case is about: the facts, not the row around them", () => {
    const others = FACTS_CASES.filter((asked) => rightDecision(asked) === "invalid")
      .map((asked) => refusalOfFacts(asked))
      .filter((refusal) => refusal !== undefined && !refusal.includes("fallback_facts_json"));
    expect(others).toEqual([]);
  });
});
