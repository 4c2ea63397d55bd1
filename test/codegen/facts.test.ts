import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { FALLBACK_FACTS_MAX_BYTES, REASON_MAX_LENGTH } from "../../generated/contracts.ts";
import { isDeferredTurnFacts } from "../../generated/validators.ts";
import { DDL, ENGINES, type Engine, GuardedStore, isInstalled } from "./support/engines.ts";
import { factsText, insertIntent, sql, updateIntent, validFacts, validIntent } from "./support/intents.ts";

const FOUR_BYTES = "😀";

/** Facts as text, with the JSON of one field written by hand. */
function withJson(field: string, json: string): string {
  return factsText({ [field]: "@" }).replace('"@"', json);
}

function refusal(engine: Engine, text: string): string | undefined {
  return new GuardedStore(engine).refusal(insertIntent(validIntent({ fallback_facts_json: text })));
}

/** Texts that are no valid facts, and a part of the sentence that refuses them. */
const BROKEN_FACTS: readonly (readonly [what: string, text: string, sentence: string])[] = [
  ["an unknown field", factsText({ note: "x" }), "must not have a field that deferred-turn-facts.v1 does not know"],
  ["__proto__ as a field", factsText().replace("{", '{"__proto__":{},'), "must not have a field that deferred-turn"],
  ["another version", factsText({ schema: "pi-workflows.deferred-turn-facts.v2" }), "schema is required and must be"],
  ["a missing field", factsText({ attemptId: undefined }), "attemptId is required"],
  ["null where it may not be", factsText({ observedState: null }), "observedState is required"],
  ["a number for text", factsText({ workflowName: 1 }), "workflowName is required and must be text"],
  ["empty text", factsText({ workflowName: "" }), "workflowName is required and must be text of 1 to 512 characters"],
  [
    "a name of 513 characters",
    factsText({ workflowName: "é".repeat(513) }),
    "workflowName is required and must be text",
  ],
  ["a cause outside the list", factsText({ cause: "outOfBudget" }), "cause is required and must be one of"],
  ["text for a truth value", factsText({ handoff: "false" }), "handoff is required and must be true or false"],
  ["0 for a truth value", factsText({ handoff: 0 }), "handoff is required and must be true or false"],
  ["a list for text", factsText({ reason: [] }), "reason is required and must be text"],
  ["an escaped U+0000", withJson("reason", '"a\\u0000b"'), "must not contain U+0000"],
  ["a high surrogate alone", withJson("reason", '"\\ud83d"'), "must not contain a lone surrogate"],
  ["a low surrogate alone", withJson("reason", '"x\\uDE00"'), "must not contain a lone surrogate"],
  ["surrogates in the wrong order", withJson("reason", '"\\ude00\\ud83d"'), "must not contain a lone surrogate"],
  ["a backslash between surrogates", withJson("reason", '"\\ud83d\\\\\\ude00"'), "must not contain a lone surrogate"],
  ["two high surrogates", withJson("reason", '"\\ud83d\\ud83d\\ude00"'), "must not contain a lone surrogate"],
  ["two low surrogates", withJson("reason", '"\\ud83d\\ude00\\ude00"'), "must not contain a lone surrogate"],
  ["a list", "[]", "must be a JSON object"],
  ["null", "null", "must be a JSON object"],
];

/** Texts that no JSON parser takes. */
const NOT_JSON = [
  "",
  "nothing",
  factsText().slice(0, -1),
  `${factsText()}x`,
  factsText().replace("}", ",}"),
  factsText().replace('"handoff"', "handoff"),
  `/* facts */${factsText()}`,
  `\ufeff${factsText()}`,
  withJson("reason", "'a'"),
  withJson("reason", '"a\tb"'),
  withJson("reason", '"\\x41"'),
];

/** Valid facts in unusual writing. */
const UNUSUAL_FACTS: readonly (readonly [what: string, text: string])[] = [
  ["white space", ` ${JSON.stringify(validFacts(), null, 2)}\n`],
  ["null for what may be null", factsText({ reason: null })],
  ["empty reason", factsText({ reason: "" })],
  ["a pair of surrogates", withJson("reason", '"\\ud83d\\uDE00"')],
  ["an escaped backslash before u0000", withJson("reason", '"\\\\u0000"')],
  ["an escaped backslash before ud800", withJson("reason", '"\\\\ud800"')],
  ["a field's name in escapes", factsText().replace('"runId"', '"\\u0072unId"')],
];

describe.each(ENGINES)("facts in the database, through $name", (engine) => {
  it.each(BROKEN_FACTS)("are refused with %s, as the validator refuses them", (_what, text, sentence) => {
    expect(isDeferredTurnFacts(JSON.parse(text))).toBe(false);
    expect(refusal(engine, text)).toContain(`workflow_turn_intents.fallback_facts_json`);
    expect(refusal(engine, text)).toContain(sentence);
  });

  it.each(NOT_JSON)("are refused when they are not JSON: %j", (text) => {
    expect(() => JSON.parse(text)).toThrow();
    expect(refusal(engine, text)).toContain("workflow_turn_intents.fallback_facts_json must be a JSON object.");
  });

  it.each(UNUSUAL_FACTS)("are taken with %s, as the validator takes them", (_what, text) => {
    expect(isDeferredTurnFacts(JSON.parse(text))).toBe(true);
    expect(refusal(engine, text)).toBeUndefined();
  });

  it("are refused with a field twice, in plain writing or in escapes", () => {
    const twice = factsText().replace("{", '{"reason":"other",');
    expect(refusal(engine, twice)).toContain("must not have a field twice");
    expect(refusal(engine, twice.replace('"reason"', '"\\u0072eason"'))).toContain("must not have a field twice");
  });

  it("are refused as a blob and with text behind U+0000", () => {
    const insert = (text: string) => insertIntent(validIntent({ fallback_facts_json: sql(text) }));
    const store = new GuardedStore(engine);
    expect(store.refusal(insert(`CAST('${factsText()}' AS BLOB)`))).toContain("must be text");
    expect(store.refusal(insert(`'${factsText()}' || char(0) || 'x'`))).toContain("must not contain U+0000");
  });

  it.each([
    ["runId", "run_id", "run-2"],
    ["cause", "cause", "timedOut"],
    ["nodeId", "node_id", null],
    ["attemptId", "attempt_id", "attempt-2"],
  ])("must repeat the row: %s", (field, column, value) => {
    const other = factsText({ [field]: value });
    const sentence = `workflow_turn_intents.fallback_facts_json: "${field}" must equal the column ${column}.`;
    expect(refusal(engine, other)).toContain(sentence);
    const store = new GuardedStore(engine, insertIntent(validIntent()));
    expect(store.refusal(updateIntent({ fallback_facts_json: other }))).toContain(sentence);
  });

  it("take 8,192 characters of four bytes in the reason, and not one more", () => {
    expect(refusal(engine, factsText({ reason: FOUR_BYTES.repeat(REASON_MAX_LENGTH) }))).toBeUndefined();
    expect(refusal(engine, factsText({ reason: FOUR_BYTES.repeat(REASON_MAX_LENGTH + 1) }))).toContain(
      "reason is required and must be text of at most 8192 characters, or null.",
    );
  });

  it("take 65,536 bytes of UTF-8, and not one more", () => {
    const missing = FALLBACK_FACTS_MAX_BYTES - Buffer.byteLength(factsText({ reason: "é" }));
    const padded = (bytes: number) => factsText({ reason: "é" }) + " ".repeat(bytes);
    expect(refusal(engine, padded(missing))).toBeUndefined();
    expect(refusal(engine, padded(missing + 1))).toContain("must have at most 65536 bytes of UTF-8.");
  });
});

describe("the limits of the facts", () => {
  it("leave room: valid facts never reach the limit in bytes when JSON.stringify writes them", () => {
    // A control character takes six bytes, which is more than any other character takes.
    const key = "\u0001".repeat(512);
    const facts = { ...validFacts(), workflowName: key, runId: key, observedState: key, nodeId: key, attemptId: key };
    const longest = { ...facts, cause: "controllerInterrupted", reason: "\u0001".repeat(REASON_MAX_LENGTH) };
    expect(isDeferredTurnFacts(longest)).toBe(true);
    expect(Buffer.byteLength(JSON.stringify(longest))).toBeLessThan(FALLBACK_FACTS_MAX_BYTES);
  });

  it.skipIf(!isInstalled("python3"))("are the same in Python, which writes with ensure_ascii=False", () => {
    const script = `
import json, sqlite3, sys
ddl, insert, facts, length = json.load(sys.stdin)
database = sqlite3.connect(":memory:")
database.executescript(ddl)
facts["reason"] = "\\U0001F600" * length
database.execute(insert, (json.dumps(facts, ensure_ascii=False),))
print(database.execute("SELECT length(json_extract(fallback_facts_json, '$.reason')) FROM workflow_turn_intents").fetchone()[0])
`;
    const insert = insertIntent(validIntent({ fallback_facts_json: sql("?") }));
    const python = (length: number) =>
      spawnSync("python3", ["-c", script], {
        input: JSON.stringify([DDL, insert, validFacts(), length]),
        encoding: "utf8",
        env: { ...process.env, PYTHONUTF8: "1" },
      });
    expect(python(REASON_MAX_LENGTH)).toMatchObject({ status: 0, stdout: `${REASON_MAX_LENGTH}\n` });
    expect(python(REASON_MAX_LENGTH + 1).stderr).toContain(
      "reason is required and must be text of at most 8192 characters, or null.",
    );
  });
});
