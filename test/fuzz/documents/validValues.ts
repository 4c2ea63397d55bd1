import fc from "fast-check";
import { TURN_INTENT_CAUSES } from "../../../generated/contracts.ts";
import { anyKey } from "../../contracts/support/arbitraries.ts";
import { INHERITED_NAMES, textOfLength } from "./tokens.ts";

const UNITS = ["x", "é", "\u{1F980}", "e\u0301", "\u2028", "\u0001", "\ufffd"] as const;

const long = (characters: number): fc.Arbitrary<string> =>
  fc.constantFrom(...UNITS).map((unit) => textOfLength(unit, characters));

const key = (): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom("run-1", "draft", "failed", "$launch", ...INHERITED_NAMES) },
    { weight: 3, arbitrary: anyKey() },
    { weight: 1, arbitrary: fc.oneof(long(511), long(512)) },
  );

const reason = (): fc.Arbitrary<string> =>
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.constantFrom("", "scope must be a non-empty string", "\\u0000", 'a "b" c\n', "\\\\ud83d"),
    },
    { weight: 3, arbitrary: anyKey() },
    { weight: 1, arbitrary: fc.oneof(long(8191), long(8192)) },
  );

const optional = (text: fc.Arbitrary<string>): fc.Arbitrary<string | null> => fc.option(text, { freq: 3 });

const cause = fc.constantFrom(...TURN_INTENT_CAUSES);
const intentId = fc
  .bigInt({ min: 0n, max: (1n << 256n) - 1n })
  .map((n) => `deferred-turn:${n.toString(16).padStart(64, "0")}`);

/** Deferred turn facts that keep their contract. */
export const validFacts: fc.Arbitrary<object> = fc.record({
  schema: fc.constant("pi-workflows.deferred-turn-facts.v1"),
  workflowName: key(),
  runId: key(),
  observedState: key(),
  cause,
  nodeId: optional(key()),
  attemptId: optional(key()),
  reason: optional(reason()),
  handoff: fc.boolean(),
});

/** Details of a fallback message that keep their contract. */
export const validMessageDetails: fc.Arbitrary<object> = fc.record({
  schema: fc.constant("pi-workflows.deferred-turn-message.v1"),
  turnIntentId: intentId,
  runId: key(),
  cause,
});

/** Details of a natural message that keep their contract, with fields of the message's own. */
export const validNaturalDetails: fc.Arbitrary<object> = fc.record(
  { turnIntentId: intentId, nodeId: key(), attempts: fc.integer(), more: fc.jsonValue({ maxDepth: 1 }) },
  { requiredKeys: ["turnIntentId"] },
);

const name = fc.constantFrom("flow", "a", "Release-notes_2.1", "x".repeat(64));
const prompt = fc.constantFrom("Fix it.", "Use {{input.scope}}.", "é\u{1F980}", "x".repeat(4000));
const seconds = fc.constantFrom(1, 0.5, 60, 86_400);

const step: fc.Arbitrary<object> = fc.oneof(
  fc.record(
    { kind: fc.constant("agent"), id: name, prompt, timeoutSeconds: seconds, recovery: fc.record({ prompt }) },
    { requiredKeys: ["kind", "id", "prompt"] },
  ),
  fc.record({ kind: fc.constant("command"), id: name, argv: fc.array(prompt, { minLength: 1, maxLength: 3 }) }),
  fc.record({
    kind: fc.constant("notify"),
    id: name,
    notification: fc.constantFrom("progress", "final"),
    content: prompt,
  }),
  fc.record({ kind: fc.constant("wait"), id: name, question: prompt }),
);

const inputSchema = fc.constantFrom<object>(
  { type: "object", required: ["scope"], properties: { scope: { type: "string", minLength: 1 } } },
  { type: "object", properties: { list: { type: "array", items: { type: "integer", minimum: -1 } } } },
  {},
);

/** Workflow definitions that keep their contract; what the contract does not say of them may still be wrong. */
export const validDefinition: fc.Arbitrary<object> = fc.record(
  {
    name,
    description: fc.constantFrom("Notes.", "é".repeat(1024)),
    steps: fc.array(step, { minLength: 1, maxLength: 3 }),
    input: inputSchema,
    presentation: prompt,
  },
  { requiredKeys: ["name", "steps"] },
);
