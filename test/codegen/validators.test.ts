import { describe, expect, it } from "vitest";
import {
  DEFERRED_TURN_MESSAGE_SCHEMA,
  KEY_MAX_LENGTH,
  REASON_MAX_LENGTH,
  TURN_INTENT_CAUSES,
} from "../../generated/contracts.ts";
import {
  deferredTurnFactsViolations,
  deferredTurnMessageDetailsViolations,
  isDeferredTurnFacts,
  isDeferredTurnMessageDetails,
  isNaturalMessageDetails,
  naturalMessageDetailsViolations,
} from "../../generated/validators.ts";
import { INTENT_ID, validFacts } from "./support/intents.ts";

const details = { schema: DEFERRED_TURN_MESSAGE_SCHEMA, turnIntentId: INTENT_ID, runId: "run-1", cause: "failed" };

describe("a violation names the path, the rule and the bound in a sentence", () => {
  it.each([
    [{ reason: "x".repeat(8193) }, "/reason", "maxLength", 8192, "/reason must have at most 8192 characters."],
    [{ runId: "" }, "/runId", "minLength", 1, "/runId must have at least 1 character."],
    [{ handoff: "no" }, "/handoff", "type", "boolean", "/handoff must be of type boolean."],
    [{ reason: 1 }, "/reason", "type", ["string", "null"], "/reason must be of type string or null."],
    [{ "a/b~c": 1 }, "/a~1b~0c", "additionalProperties", false, "/a~1b~0c is not a field of this contract."],
    [
      { nodeId: "a\0b" },
      "/nodeId",
      "not",
      "text with U+0000 or a lone surrogate",
      "/nodeId must not be text with U+0000 or a lone surrogate.",
    ],
    [
      { schema: "v2" },
      "/schema",
      "const",
      "pi-workflows.deferred-turn-facts.v1",
      '/schema must be "pi-workflows.deferred-turn-facts.v1".',
    ],
  ])("%j", (changes, path, rule, bound, message) => {
    expect(deferredTurnFactsViolations({ ...validFacts(), ...changes })).toEqual([{ path, rule, bound, message }]);
  });

  it("for a cause outside the list", () => {
    const [violation] = deferredTurnFactsViolations({ ...validFacts(), cause: "outOfBudget" });
    expect(violation).toMatchObject({ path: "/cause", rule: "enum", bound: TURN_INTENT_CAUSES });
    expect(violation?.message).toMatch(/^\/cause must be one of "agentCancelled", /);
  });

  it("for each missing field, and for a value that is no object", () => {
    expect(deferredTurnFactsViolations({}).map(({ message }) => message)).toEqual(
      Object.keys(validFacts()).map((field) => `/${field} is missing.`),
    );
    for (const value of [undefined, null, [], "facts", 1]) {
      expect(deferredTurnFactsViolations(value)).toEqual([
        { path: "", rule: "type", bound: "object", message: "The value must be of type object." },
      ]);
    }
  });

  it("for every broken rule, and none for a valid value", () => {
    const paths = deferredTurnFactsViolations({ ...validFacts(), runId: "", handoff: null, more: 1 }).map(
      ({ path }) => path,
    );
    expect(paths.sort()).toEqual(["/handoff", "/more", "/runId"]);
    expect(deferredTurnFactsViolations(validFacts())).toEqual([]);
  });
});

describe("the facts' validator", () => {
  it("counts characters, not UTF-16 units", () => {
    expect(isDeferredTurnFacts({ ...validFacts(), reason: "😀".repeat(REASON_MAX_LENGTH) })).toBe(true);
    expect(isDeferredTurnFacts({ ...validFacts(), reason: "😀".repeat(REASON_MAX_LENGTH + 1) })).toBe(false);
    expect(isDeferredTurnFacts({ ...validFacts(), runId: "😀".repeat(KEY_MAX_LENGTH) })).toBe(true);
    expect(isDeferredTurnFacts({ ...validFacts(), runId: "😀".repeat(KEY_MAX_LENGTH + 1) })).toBe(false);
  });

  it.each(["\0", "a\ud800", "\udc00b", "\udc00\ud800"])(
    "refuses text that cannot be stored in every field: %j",
    (text) => {
      for (const field of ["workflowName", "runId", "observedState", "nodeId", "attemptId", "reason"]) {
        expect(isDeferredTurnFacts({ ...validFacts(), [field]: text })).toBe(false);
      }
    },
  );

  it("takes every other character", () => {
    const text = "\u0001\n\u007f\ud7ff\ue000\ufffd\uffff\u{10000}\u{10ffff}";
    expect(deferredTurnFactsViolations({ ...validFacts(), reason: text })).toEqual([]);
  });

  it("refuses __proto__ as an own field, and does not count what is inherited", () => {
    const facts = JSON.parse(JSON.stringify(validFacts()).replace("{", '{"__proto__":{},'));
    expect(deferredTurnFactsViolations(facts)).toMatchObject([{ path: "/__proto__", rule: "additionalProperties" }]);
    expect(isDeferredTurnFacts(Object.create(validFacts()))).toBe(false);
    expect(isDeferredTurnFacts(Object.assign(Object.create({ inherited: 1 }), validFacts()))).toBe(true);
    expect(isDeferredTurnFacts(Object.assign(Object.create(null), validFacts()))).toBe(true);
  });

  it("takes a field that is undefined for a missing one", () => {
    expect(deferredTurnFactsViolations({ ...validFacts(), nodeId: undefined })).toMatchObject([
      { path: "/nodeId", rule: "required" },
    ]);
  });
});

describe("the message validators", () => {
  it("take the details of a fallback message, and refuse another field", () => {
    expect(isDeferredTurnMessageDetails(details)).toBe(true);
    expect(deferredTurnMessageDetailsViolations({ ...details, nodeId: "draft" })).toMatchObject([{ path: "/nodeId" }]);
  });

  it("take any other field in the details of a natural message", () => {
    expect(isNaturalMessageDetails({ turnIntentId: INTENT_ID, nodeId: "draft", anything: { at: ["all"] } })).toBe(true);
    expect(naturalMessageDetailsViolations({ nodeId: "draft" })).toMatchObject([
      { path: "/turnIntentId", rule: "required" },
    ]);
  });

  it.each([`${INTENT_ID}\n`, INTENT_ID.toUpperCase(), INTENT_ID.slice(0, -1), `x${INTENT_ID}`, ""])(
    "refuse an intent's id in another form: %j",
    (turnIntentId) => {
      expect(isDeferredTurnMessageDetails({ ...details, turnIntentId })).toBe(false);
      expect(isNaturalMessageDetails({ turnIntentId })).toBe(false);
    },
  );
});
