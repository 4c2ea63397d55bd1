import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/contractDiff/json.ts";
import { type Contract, type Editable, judge, judgeEdit, shown, verdictOf } from "./support/schemas.ts";

const FACTS = "deferred-turn-facts.v1";
const MESSAGE = "deferred-turn-message.v1";
const DETAILS = "natural-message-details.v1";
const DEFINITION = "workflow-definition.v1";

interface Made {
  readonly change: string;
  readonly contract: Contract;
  readonly edit: (schema: Editable) => void;
}

/** A lost claim is a handoff. As text, because an object with a member `then` looks like a promise. */
const A_CONDITION = `{
  "if": { "properties": { "cause": { "const": "claimLost" } } },
  "then": { "properties": { "handoff": { "const": true } } }
}`;

/** Edits of the real schemas; `judgeEdit` tries each document that is shown with Ajv itself. */
const BREAKS: readonly Made[] = [
  { change: "an enum member removed", contract: FACTS, edit: (s) => s.properties.cause.enum.pop() },
  {
    change: "a required property made of an optional one",
    contract: DEFINITION,
    edit: (s) => s.required.push("description"),
  },
  { change: "null refused", contract: FACTS, edit: (s) => (s.properties.nodeId.type = "string") },
  { change: "a lower maxLength", contract: FACTS, edit: (s) => (s.properties.reason.maxLength = 8191) },
  { change: "a higher minLength", contract: FACTS, edit: (s) => (s.properties.runId.minLength = 2) },
  { change: "fewer items", contract: DEFINITION, edit: (s) => (s.properties.steps.maxItems = 63) },
  { change: "more items at least", contract: DEFINITION, edit: (s) => (s.properties.steps.minItems = 2) },
  {
    change: "a lower maximum",
    contract: DEFINITION,
    edit: (s) => (s.definitions.agentStep.properties.timeoutSeconds.maximum = 86399),
  },
  {
    change: "a higher exclusiveMinimum",
    contract: DEFINITION,
    edit: (s) => (s.definitions.agentStep.properties.timeoutSeconds.exclusiveMinimum = 1),
  },
  { change: "a tighter pattern", contract: DEFINITION, edit: (s) => (s.properties.name.pattern = "^[A-Za-z]") },
  {
    change: "a pattern under not that matches more",
    contract: DEFINITION,
    edit: (s) => (s.definitions.unnamableText.pattern = "[^A-Za-z0-9.-]"),
  },
  { change: "additionalProperties closed", contract: DETAILS, edit: (s) => (s.additionalProperties = false) },
  {
    change: "an optional property added to an open object",
    contract: DETAILS,
    edit: (s) => (s.properties.tags = { type: "array" }),
  },
  { change: "an optional property removed", contract: DEFINITION, edit: (s) => delete s.properties.description },
  { change: "a branch of oneOf removed", contract: DEFINITION, edit: (s) => s.definitions.step.oneOf.pop() },
  {
    change: "a type narrowed",
    contract: DEFINITION,
    edit: (s) => (s.definitions.agentStep.properties.timeoutSeconds.type = "integer"),
  },
  { change: "a lower limit of bytes", contract: FACTS, edit: (s) => (s["x-maxBytes"] = 20_000) },
  {
    change: "a condition added",
    contract: FACTS,
    edit: (s) => Object.assign(s, JSON.parse(A_CONDITION)),
  },
  {
    change: "a dependency added",
    contract: DEFINITION,
    edit: (s) => (s.dependencies = { presentation: ["description"] }),
  },
  { change: "names of members bounded", contract: DETAILS, edit: (s) => (s.propertyNames = { maxLength: 20 }) },
  {
    change: "a rule for members by pattern",
    contract: DETAILS,
    edit: (s) => (s.patternProperties = { "^x-": { type: "string" } }),
  },
];

const COMPATIBLE: readonly Made[] = [
  { change: "an enum member added", contract: FACTS, edit: (s) => s.properties.cause.enum.push("preempted") },
  {
    change: "an optional property added to a closed object",
    contract: FACTS,
    edit: (s) => (s.properties.exitCode = { type: "integer" }),
  },
  { change: "a required property made optional", contract: FACTS, edit: (s) => s.required.pop() },
  { change: "null allowed", contract: FACTS, edit: (s) => (s.properties.runId.type = ["string", "null"]) },
  { change: "a higher maxLength", contract: FACTS, edit: (s) => (s.properties.reason.maxLength = 8193) },
  { change: "a lower minLength", contract: FACTS, edit: (s) => (s.properties.runId.minLength = 0) },
  { change: "more items", contract: DEFINITION, edit: (s) => (s.properties.steps.maxItems = 65) },
  {
    change: "no upper bound",
    contract: DEFINITION,
    edit: (s) => delete s.definitions.agentStep.properties.timeoutSeconds.maximum,
  },
  { change: "a looser pattern", contract: DEFINITION, edit: (s) => (s.properties.name.pattern = "^[A-Za-z0-9_]") },
  { change: "additionalProperties opened", contract: FACTS, edit: (s) => delete s.additionalProperties },
  { change: "a type widened", contract: FACTS, edit: (s) => (s.properties.handoff.type = ["boolean", "string"]) },
  {
    change: "a branch of oneOf added",
    contract: DEFINITION,
    edit: (s) => s.definitions.step.oneOf.push({ type: "object", required: ["nap"] }),
  },
];

const NO_CHANGE: readonly Made[] = [
  {
    change: "only words",
    contract: FACTS,
    edit: (s) => {
      s.description = "Others.";
      s.properties.runId.title = "Run";
      s.properties.runId.$comment = "x";
      s.examples = [];
    },
  },
  {
    change: "only order",
    contract: FACTS,
    edit: (s) => {
      s.required.reverse();
      s.properties.cause.enum.reverse();
      s.properties = Object.fromEntries(Object.entries(s.properties).reverse());
    },
  },
  { change: "branches in another order", contract: DEFINITION, edit: (s) => s.definitions.step.oneOf.reverse() },
  {
    change: "a definition written out where it is used",
    contract: FACTS,
    edit: (s) => {
      s.properties.runId.not = s.definitions.unstorableText;
    },
  },
  {
    change: "a definition that got another name",
    contract: MESSAGE,
    edit: (s) => {
      s.definitions.odd = s.definitions.unstorableText;
      s.properties.runId.not.$ref = "#/definitions/odd";
      delete s.definitions.unstorableText;
    },
  },
  {
    change: "a definition that nothing refers to",
    contract: FACTS,
    edit: (s) => (s.definitions.unused = { type: "string" }),
  },
  { change: "an $id with an empty fragment", contract: FACTS, edit: (s) => (s.$id += "#") },
];

describe("a change after which a valid document is refused is a break, and the document is shown", () => {
  it.each(BREAKS)("$contract: $change", ({ contract, edit }) => {
    const reports = judgeEdit(contract, edit);
    expect(verdictOf(reports)).toBe("break");
    expect(shown(reports, "refusedNow")).toBeDefined();
    const [{ effects } = { effects: [] }] = reports.filter(({ verdict }) => verdict === "break");
    expect(effects.filter(({ harm }) => harm === "broken").map(({ party }) => party)).toEqual(
      expect.arrayContaining(["oldDocuments", "oldWriters"]),
    );
  });
});

describe("a change that only accepts more is compatible, and old readers are told of", () => {
  it.each(COMPATIBLE)("$contract: $change", ({ contract, edit }) => {
    const reports = judgeEdit(contract, edit);
    expect(verdictOf(reports)).toBe("compatible");
    expect(shown(reports, "refusedNow")).toBeUndefined();
    expect(shown(reports, "acceptedNow")).toBeDefined();
    const harmed = reports.flatMap(({ effects }) => effects).filter(({ harm }) => harm === "broken");
    expect(harmed.map(({ party }) => party)).toEqual(["oldReaders"]);
  });
});

describe("what no validator reads is no change", () => {
  it.each(NO_CHANGE)("$contract: $change", ({ contract, edit }) => {
    expect(verdictOf(judgeEdit(contract, edit))).toBe("noChange");
  });
});

describe("a change that goes both ways breaks in both", () => {
  it.each<Made>([
    {
      change: "a required property added",
      contract: FACTS,
      edit: (s) => {
        s.properties.exitCode = { type: "integer" };
        s.required.push("exitCode");
      },
    },
    {
      change: "another pattern",
      contract: DETAILS,
      edit: (s) => (s.properties.turnIntentId.pattern = "^deferred-turn:[0-9A-F]{64}$"),
    },
    {
      change: "another name of the contract in its documents",
      contract: FACTS,
      edit: (s) => (s.properties.schema.const = "pi-workflows.deferred-turn-facts.v2"),
    },
    { change: "another type", contract: FACTS, edit: (s) => (s.properties.handoff.type = "string") },
  ])("$contract: $change", ({ contract, edit }) => {
    const reports = judgeEdit(contract, edit);
    expect(verdictOf(reports)).toBe("break");
    expect(shown(reports, "refusedNow")).toBeDefined();
    expect(shown(reports, "acceptedNow")).toBeDefined();
  });
});

describe("what is shown is minimal", () => {
  it("a bound is passed by one", () => {
    const reports = judgeEdit(FACTS, (s) => (s.properties.reason.maxLength = 8191));
    expect(shown(reports, "refusedNow")).toMatchObject({ reason: expect.stringMatching(/^.{8192}$/su) });
  });

  it("a document has no more members than it needs", () => {
    const reports = judgeEdit(DEFINITION, (s) => s.definitions.step.oneOf.pop());
    expect(shown(reports, "refusedNow")).toEqual({
      name: expect.stringMatching(/^.$/),
      steps: [{ kind: "wait", id: expect.stringMatching(/^.$/), question: expect.stringMatching(/^.$/) }],
    });
  });
});

describe("what cannot be proven is told as such", () => {
  it.each<Made>([
    {
      change: "a format, which no validator of ours asserts",
      contract: FACTS,
      edit: (s) => (s.properties.runId.format = "uri"),
    },
    { change: "a keyword that nobody knows", contract: FACTS, edit: (s) => (s["x-secret"] = true) },
    {
      change: "a bound that another rule hides",
      contract: DETAILS,
      edit: (s) => (s.properties.turnIntentId.minLength = 70),
    },
  ])("$contract: $change", ({ contract, edit }) => {
    const reports = judgeEdit(contract, edit);
    expect(verdictOf(reports)).toBe("unproven");
    expect(reports.flatMap(({ witnesses }) => witnesses)).toEqual([]);
  });
});

it("a schema whose references cannot be followed is refused with a sentence", () => {
  const edit = (s: Editable): void => {
    s.properties.runId.not.$ref = "https://example.org/other#/definitions/x";
  };
  expect(() => judgeEdit(FACTS, edit)).toThrow(
    /, the new schema: no valid JSON Schema: can't resolve reference https:/,
  );
});

describe("a limit of bytes that documents reach with white space only is shown by a text of so many bytes", () => {
  it.each([
    [65_535, "break", "refusedNow", 65_536],
    [65_537, "compatible", "acceptedNow", 65_537],
  ] as const)("%i: %s", (limit, verdict, direction, textBytes) => {
    const reports = judgeEdit(FACTS, (s) => (s["x-maxBytes"] = limit));
    expect(reports).toMatchObject([{ verdict, witnesses: [{ direction, textBytes }] }]);
  });
});

it("a pattern that takes too long to match is given up on, and what was not found until then is unproven", () => {
  const schema = (pattern: string): JsonObject => ({ properties: { text: { pattern } } });
  const [report] = judge(schema("^(a+)+$"), schema("^((a+)+|b)$"));
  expect(report).toMatchObject({ verdict: "unproven", why: expect.stringContaining("its pattern takes too long") });
}, 60_000);

it.each([
  [4, 3, "break", "refusedNow"],
  [3, 4, "compatible", "acceptedNow"],
] as const)("a bound of the names of members is shown at the bound: %i to %i", (before, after, verdict, direction) => {
  const schema = (maxLength: number): JsonObject => ({ type: "object", propertyNames: { maxLength } });
  const reports = judge(schema(before), schema(after));
  expect(verdictOf(reports)).toBe(verdict);
  expect(Object.keys(Object(shown(reports, direction)))).toEqual([expect.stringMatching(/^.{4}$/)]);
});

describe("a change of names", () => {
  it("another $id is another contract", () => {
    const [report, ...more] = judgeEdit(FACTS, (s) => (s.$id = "urn:pi-workflows:deferred-turn-facts.v2"));
    expect(more).toEqual([]);
    expect(report).toMatchObject({
      verdict: "break",
      place: expect.stringContaining("#/$id"),
      why: "Another name is a new contract.",
    });
  });

  it("a renamed property is one that went and one that came, told as a rename, each with its document", () => {
    const reports = judgeEdit(FACTS, (s) => {
      s.properties.why = s.properties.reason;
      delete s.properties.reason;
      s.required = s.required.map((name: string) => (name === "reason" ? "why" : name));
    });
    expect(reports.map(({ what, verdict }) => `${verdict}: ${what}`)).toEqual([
      'break: The required property "reason" was removed.',
      'break: The required property "why" was added.',
    ]);
    for (const { why, witnesses } of reports) {
      expect(why).toContain('Probably "reason" was renamed to "why".');
      expect(witnesses).not.toEqual([]);
    }
  });
});

describe("several changes at once are judged one by one", () => {
  it("each by documents that it alone decides", () => {
    const reports = judgeEdit(FACTS, (s) => {
      s.properties.cause.enum.pop();
      s.properties.exitCode = { type: "integer" };
      s.properties.schema.const = "other";
      s.properties.runId.title = "Run";
    });
    expect(Object.fromEntries(reports.map(({ place, verdict }) => [place.split("#")[1], verdict]))).toEqual({
      "/properties/schema/const": "break",
      "/properties/cause/enum": "break",
      "/properties/exitCode": "compatible",
      "/properties/runId/title": "noChange",
    });
  });

  it("rules that only act together are told too", () => {
    const reports = judgeEdit(DETAILS, (s) => {
      s.properties.turnIntentId.maxLength = 80;
      s.properties.turnIntentId.pattern = "^deferred-turn:[0-9a-f]{64,66}$";
    });
    expect(verdictOf(reports)).toBe("compatible");
    expect(shown(reports, "acceptedNow")).toMatchObject({ turnIntentId: expect.stringMatching(/^.{79,80}$/) });
  });
});

describe("a schema that is none is named by its file", () => {
  const text = (schema: object) => (s: Editable) => Object.assign(s.properties, { text: schema });

  it.each([
    ["a pattern that is none", text({ pattern: "([" }), /Invalid regular expression/],
    ["another file", text({ $ref: "other.json" }), /references must stay inside the file and end at a schema$/],
    ["nothing", text({ $ref: "#/definitions/none" }), /references must stay inside the file and end at a schema$/],
  ])("with a reference or rule that is %s", (_name, edit, sentence) => {
    const judged = (): unknown => judgeEdit("deferred-turn-message.v1", edit);
    expect(judged).toThrow(/^schemas\/deferred-turn-message\.v1\.schema\.json, the new schema: no valid JSON Schema: /);
    expect(judged).toThrow(sentence);
  });
});
