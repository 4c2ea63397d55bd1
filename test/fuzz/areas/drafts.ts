import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { TURN_INTENT_CAUSES } from "../../../generated/contracts.ts";
import { encodeWorkflowTurnIntent, type WorkflowTurnIntent } from "../../../generated/records.ts";
import type { TurnIntentDraft, TurnIntentSource } from "../../../src/contracts/draft.ts";
import { anyKey, anyText } from "../../contracts/support/arbitraries.ts";
import { hostileString, textOfLength } from "../documents/tokens.ts";
import { type Finding, shown, type Trial } from "../finding.ts";
import type { FuzzWorld } from "../fuzzWorld.ts";
import { failure, opinionOfParser, verdict } from "../judges/opinions.ts";
import { isKeyByRule } from "../reference/identityRules.ts";
import { judgeFacts } from "./facts.ts";

const ENVIRONMENT = { DEPLOY_TOKEN: "made-up-value", DATABASE_URL: "postgres://app:made-up@db/x" };

const FRAGMENTS = [
  ...["\u001b[31m", "\u001b]8;;https://x.example\u0007", "\u202e", "\ud83d", "\0", "```\n", "</facts>", "\u2028# x"],
  ...[
    "password=",
    "made-up-value",
    "postgres://app:made-up@db/x",
    "-----BEGIN PRIVATE KEY-----\n",
    "Bearer ",
    "{",
    "\\",
  ],
] as const;

/** Text as it comes out of a program that failed: hostile fragments, long stretches, anything. */
const diagnosticText = fc.oneof(
  { weight: 10, arbitrary: hostileString() },
  {
    weight: 10,
    arbitrary: fc
      .array(fc.oneof(fc.constantFrom(...FRAGMENTS), anyText({ maxLength: 12 })), { maxLength: 8 })
      .map((parts) => parts.join("")),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom("x", "\u{1F980}", "\ud83d", "é", "a b\n", "\u001b["), fc.constantFrom(8192, 8193, 33_000))
      .map(([unit, length]) => textOfLength(unit, length)),
  },
);

const id = fc.oneof({ weight: 30, arbitrary: anyKey() }, { weight: 1, arbitrary: hostileString() });
const optionalId = fc.option(id, { freq: 3 });
const cause = fc.oneof(
  { weight: 30, arbitrary: fc.constantFrom<string>(...TURN_INTENT_CAUSES) },
  { weight: 1, arbitrary: fc.constantFrom("", "outOfBudget", "constructor", "__proto__") },
);

const sources: fc.Arbitrary<TurnIntentSource> = fc
  .record(
    {
      targetSessionId: id,
      runId: id,
      workflowRef: id,
      workflowName: diagnosticText,
      sourceEventId: id,
      cause,
      nodeId: optionalId,
      attemptId: optionalId,
      observedState: diagnosticText,
      reason: fc.option(diagnosticText),
      handoff: fc.boolean(),
    },
    { requiredKeys: ["targetSessionId", "runId", "workflowRef", "sourceEventId", "cause", "observedState"] },
  )
  // The cause may be none: sources come from code that types do not reach.
  .map((source) => source as TurnIntentSource);

/** Interruptions as hosts see them: what is drafted of them keeps every rule, and comes back from the store unchanged. */
export function draftTrials(world: FuzzWorld): fc.Arbitrary<Trial> {
  return sources.map((source) => () => judgeSource(world, source));
}

function judgeSource(world: FuzzWorld, source: TurnIntentSource): Finding {
  const expected = verdict(isDraftable(source));
  const finding = (name?: string, ...story: readonly string[]): Finding => ({
    area: "drafts",
    kind: source.cause === "launchFailed" ? "a failed launch" : "an interrupted step",
    verdict: expected,
    admitted: [],
    violation:
      name === undefined ? undefined : { name, story: [`  source: ${shown(JSON.stringify(source))}`, ...story] },
  });
  let draft: TurnIntentDraft | undefined;
  const said = opinionOfParser(() => {
    draft = world.product.draftTurnIntent(source, { environment: ENVIRONMENT });
  });
  if (said !== expected) return finding("draftVerdictDiffers", `  ${said}, where the rules expect ${expected}`);
  return draft === undefined ? finding() : judgeDraft(world, draft, finding);
}

type Report = (name?: string, ...story: readonly string[]) => Finding;

function judgeDraft(world: FuzzWorld, draft: TurnIntentDraft, finding: Report): Finding {
  const text = JSON.stringify(draft.fallbackFacts);
  const facts = judgeFacts(world, { kind: "another row", text, throughCommand: false });
  if (facts.verdict !== "accepted" || facts.violation !== undefined) {
    return finding("draftedFactsRefused", `  facts: ${shown(text)}`, ...(facts.violation?.story ?? []));
  }
  const change = changeInTable(world, draft, text) ?? changeInStore(world, draft);
  return change === undefined ? finding() : finding("roundTripChanges", `  facts: ${shown(text)}`, `  ${change}`);
}

/** What is different after writing, reading and parsing a row; undefined when nothing is. */
function changeInTable({ database, product }: FuzzWorld, draft: TurnIntentDraft, text: string): string | undefined {
  const intent: WorkflowTurnIntent = {
    ...draft,
    requestedAt: "2026-08-21T08:17:31.000Z",
    eligibleAt: null,
    resolvedAt: null,
    resolution: null,
    resolutionMessageId: null,
    deliveryClaimToken: null,
    deliveryClaimExpiresAt: null,
  };
  const row = database.inserted({ ...encodeWorkflowTurnIntent(intent) });
  if (row?.["fallback_facts_json"] !== text) return `the text became ${shown(String(row?.["fallback_facts_json"]))}`;
  const decoded = product.decodeRow(row);
  if (!decoded.ok) return `the row became unreadable: ${JSON.stringify(decoded.violations)}`;
  if (!isDeepStrictEqual(decoded.record, intent)) return `the record became ${shown(JSON.stringify(decoded.record))}`;
  if (!isDeepStrictEqual(product.parseFacts(text), draft.fallbackFacts)) return "the parsed facts are others";
  return undefined;
}

class TakenBack extends Error {}

/** What is different after `ensure` and `get` of a real store; undefined when nothing is. The row is taken back. */
function changeInStore({ store }: FuzzWorld, draft: TurnIntentDraft): string | undefined {
  let change: string | undefined;
  try {
    store.transaction(() => {
      const { outcome, intent } = store.ensureWorkflowTurnIntent(draft);
      const stored = store.getWorkflowTurnIntent(draft.intentId);
      const isSame = Object.entries(draft).every(([field, value]) =>
        isDeepStrictEqual(stored?.[field as keyof WorkflowTurnIntent], value),
      );
      if (outcome !== "created" || !isSame || !isDeepStrictEqual(intent, stored)) {
        change = `the store made of it: ${outcome} ${shown(JSON.stringify(stored))}`;
      }
      throw new TakenBack();
    });
  } catch (error) {
    if (!(error instanceof TakenBack)) change = `the store ${failure(error)}`;
  }
  return change;
}

/** Whether the rules let an intent be drafted: ids are keys, the cause is known, and a launch reached no node. */
function isDraftable(source: TurnIntentSource): boolean {
  const { targetSessionId, runId, workflowRef, sourceEventId, cause: wanted, nodeId = null, attemptId = null } = source;
  return (
    [targetSessionId, runId, workflowRef, sourceEventId].every(isKeyByRule) &&
    [nodeId, attemptId].every((key) => key === null || isKeyByRule(key)) &&
    TURN_INTENT_CAUSES.some((known) => known === wanted) &&
    (wanted !== "launchFailed" || nodeId === null || nodeId === "$launch")
  );
}
