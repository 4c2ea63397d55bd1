import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TURN_INTENT_CAUSES } from "../../generated/contracts.ts";
import { characterCount } from "../../src/contracts/characters.ts";
import { draftTurnIntent, type TurnIntentSource, UNNAMED } from "../../src/contracts/draft.ts";
import { parseDeferredTurnFacts } from "../../src/contracts/facts.ts";
import { LAUNCH_NODE_ID, sourceEventId, turnIntentId } from "../../src/contracts/identity.ts";
import { anyKey, anyText } from "./support/arbitraries.ts";
import { ASSIGNED_SECRETS, SHAPED_SECRETS } from "./support/secretCorpus.ts";
import { thrownBy } from "./support/thrown.ts";

const SOURCE: TurnIntentSource = {
  targetSessionId: "session-1",
  runId: "run-1",
  workflowRef: "workflows/autoimplement",
  workflowName: "autoimplement",
  sourceEventId: sourceEventId({ kind: "attempt", runId: "run-1", nodeId: "build", attemptId: "attempt-1" }),
  cause: "failed",
  nodeId: "build",
  attemptId: "attempt-1",
  observedState: "failed",
  reason: "scope must be a non-empty string",
};

const draft = (changes: Partial<TurnIntentSource> = {}, environment = {}) =>
  draftTurnIntent({ ...SOURCE, ...changes }, { environment });

describe("the draft of a turn intent", () => {
  it("holds the identity, and facts that repeat it", () => {
    expect(draft()).toEqual({
      intentId: turnIntentId({ ...SOURCE, nodeId: "build", attemptId: "attempt-1" }),
      sourceEventId: SOURCE.sourceEventId,
      runId: "run-1",
      workflowRef: "workflows/autoimplement",
      targetSessionId: "session-1",
      cause: "failed",
      nodeId: "build",
      attemptId: "attempt-1",
      fallbackFacts: {
        schema: "pi-workflows.deferred-turn-facts.v1",
        workflowName: "autoimplement",
        runId: "run-1",
        observedState: "failed",
        cause: "failed",
        nodeId: "build",
        attemptId: "attempt-1",
        reason: "scope must be a non-empty string",
        handoff: false,
      },
    });
  });

  it("has the same id when terminal handling tells of the abort's event in another state", () => {
    const abort = draft({ observedState: "running", reason: null });
    expect(draft({ observedState: "failed", reason: "exit status 1" }).intentId).toBe(abort.intentId);
  });

  it("has the node $launch for a launch that failed, in identity and facts alike", () => {
    for (const nodeId of [undefined, null, LAUNCH_NODE_ID]) {
      const launch = draft({ cause: "launchFailed", nodeId, attemptId: null });
      expect(launch.nodeId).toBe("$launch");
      expect(launch.fallbackFacts.nodeId).toBe("$launch");
      expect(launch.intentId).toBe(
        turnIntentId({ ...SOURCE, cause: "launchFailed", nodeId: "$launch", attemptId: null }),
      );
    }
  });

  it("is refused for a launch that failed at a node", () => {
    const error = thrownBy(() => draft({ cause: "launchFailed", nodeId: "build" }));
    expect(error).toMatchObject({ code: "CONTRACT_VIOLATION", path: "/nodeId" });
  });

  it("has null for a node and an attempt that are not known", () => {
    const { nodeId: _node, attemptId: _attempt, ...source } = SOURCE;
    const { nodeId, attemptId, fallbackFacts } = draftTurnIntent(source, { environment: {} });
    expect({ nodeId, attemptId }).toEqual({ nodeId: null, attemptId: null });
    expect(fallbackFacts).toMatchObject({ nodeId: null, attemptId: null });
  });

  it("tells of a handoff", () => {
    expect(draft({ handoff: true }).fallbackFacts.handoff).toBe(true);
  });

  it.each(["targetSessionId", "runId", "workflowRef", "sourceEventId", "nodeId", "attemptId"] as const)(
    "is refused with a broken %s",
    (field) => {
      for (const broken of ["", "a\0b", "\udc00", "x".repeat(513)]) {
        const error = thrownBy(() => draft({ [field]: broken }));
        expect(error).toMatchObject({ code: "CONTRACT_VIOLATION", path: `/${field}` });
      }
    },
  );

  it("is refused with an unknown cause", () => {
    const error = thrownBy(() => draft({ cause: "bored" as "failed" }));
    expect(error).toMatchObject({ code: "CONTRACT_VIOLATION", path: "/cause" });
  });
});

describe("the texts of a draft", () => {
  it("are cleaned: a reason keeps its lines, a name and a state have one", () => {
    const { fallbackFacts } = draft({
      workflowName: "auto\u200bimplement\r\nnext",
      observedState: "\u001b[31mfailed\u001b[0m",
      reason: "\u202efirst\u202c\r\n\tsecond\0",
    });
    expect(fallbackFacts).toMatchObject({
      workflowName: "autoimplement next",
      observedState: "failed",
      reason: "first\n second",
    });
  });

  it("have a default where cleaning leaves nothing", () => {
    const { fallbackFacts } = draft({ workflowName: "\u200b\n", observedState: "\0", reason: " \u001b[0m " });
    expect(fallbackFacts).toMatchObject({
      workflowName: "workflows/autoimplement",
      observedState: UNNAMED,
      reason: null,
    });
    expect(draft({ workflowName: "", workflowRef: "\u200b" }).fallbackFacts.workflowName).toBe(UNNAMED);
  });

  it("say nothing where code without types passes something else", () => {
    const { fallbackFacts } = draft({ reason: 7 as unknown as string, observedState: undefined as unknown as string });
    expect(fallbackFacts).toMatchObject({ reason: null, observedState: UNNAMED });
  });

  it("are cut at 8,192 characters, or 512, with an ellipsis and no half of a character", () => {
    const { reason, workflowName, observedState } = draft({
      reason: "\u{1F980}".repeat(8193),
      workflowName: "\u{1F980}".repeat(600),
      observedState: "x".repeat(512),
    }).fallbackFacts;
    expect(reason).toBe(`${"\u{1F980}".repeat(8191)}…`);
    expect(workflowName).toBe(`${"\u{1F980}".repeat(511)}…`);
    expect(observedState).toBe("x".repeat(512));
  });

  it("hold no secret, wherever it stands, not even one that invisible characters break up", () => {
    const secrets = [...SHAPED_SECRETS, ...ASSIGNED_SECRETS];
    fc.assert(
      fc.property(
        fc.constantFrom(...secrets),
        anyText(),
        fc.constantFrom("", "\u200b", "\u00ad", "\u2060"),
        (corpus, before, hidden) => {
          const text = `${before}\n${[...corpus.text].join(hidden)}`;
          const { fallbackFacts } = draft({ reason: text, workflowName: text, observedState: text });
          expect(fallbackFacts.reason).not.toContain(corpus.secret);
          expect(fallbackFacts.workflowName).not.toContain(corpus.secret);
          expect(fallbackFacts.observedState).not.toContain(corpus.secret);
        },
      ),
      { numRuns: 500 },
    );
  });

  it("hold no half of a secret that the cut goes through", () => {
    const token = `ghp_${"a1B2".repeat(9)}`;
    for (let inside = 1; inside < token.length; inside += 1) {
      const { reason } = draft({ reason: `${"-".repeat(8192 - inside)} ${token}` }).fallbackFacts;
      expect(reason).not.toMatch(/ghp_|a1B2/);
    }
  });

  it("hold no half of a secret where a text is too long to be looked at whole", () => {
    const token = `ghp_${"a1B2".repeat(9)}`;
    const { reason } = draft({ reason: `kept ${"\u200b".repeat(1_048_576 - 15)}${token}` }).fallbackFacts;
    expect(reason).toBe(null);
    const long = draft({ reason: `kept ${"x ".repeat(1_048_576)}` }).fallbackFacts.reason ?? "";
    expect(characterCount(long)).toBe(8192);
  });

  it("hold no value of the environment that its name calls a secret", () => {
    const { reason } = draft(
      { reason: "login with s3cretValue failed" },
      { DEPLOY_TOKEN: "s3cretValue" },
    ).fallbackFacts;
    expect(reason).toBe("login with [redacted] failed");
  });

  it("are taken against the process's own environment unless another is given", () => {
    process.env["DRAFT_TEST_TOKEN"] = "s3cretValue";
    try {
      expect(draftTurnIntent({ ...SOURCE, reason: "s3cretValue" }).fallbackFacts.reason).toBe("[redacted]");
    } finally {
      delete process.env["DRAFT_TEST_TOKEN"];
    }
  });

  it("never make a draft that the contract refuses", () => {
    const source = fc.record({
      targetSessionId: anyKey(),
      runId: anyKey(),
      workflowRef: anyKey(),
      sourceEventId: anyKey(),
      cause: fc.constantFrom(...TURN_INTENT_CAUSES.filter((cause) => cause !== "launchFailed")),
      nodeId: fc.option(anyKey()),
      attemptId: fc.option(anyKey()),
      workflowName: fc.option(anyText(), { nil: undefined }),
      observedState: anyText(),
      reason: fc.option(anyText({ maxLength: 10_000 })),
      handoff: fc.boolean(),
    });
    fc.assert(
      fc.property(source, (any) => {
        const { fallbackFacts, ...row } = draftTurnIntent(any, { environment: {} });
        expect(parseDeferredTurnFacts(JSON.stringify(fallbackFacts))).toEqual(fallbackFacts);
        expect(row).toMatchObject({ runId: any.runId, cause: any.cause, nodeId: any.nodeId, attemptId: any.attemptId });
        expect(fallbackFacts).toMatchObject({
          runId: any.runId,
          cause: any.cause,
          nodeId: any.nodeId,
          attemptId: any.attemptId,
        });
      }),
      { numRuns: 300 },
    );
  });

  it("take the longest and worst of texts", () => {
    const worst = [
      ...[
        "password=",
        'password="',
        '\\"',
        "token: ",
        "--token ",
        "://a:",
        "://a:b/",
        "://a@",
        "-----BEGIN PRIVATE KEY-----",
      ],
      ...[
        "Bearer a",
        "eyJ",
        "Aa1/",
        "aA",
        "\u001b",
        "\u001b]",
        "\u009d",
        "\u200b",
        "password=[redacted]",
        "\ud800",
        "\n",
      ],
    ];
    // Work that grows with the square of the length would not end within the deadline of this test.
    for (const part of worst) {
      const text = part.repeat(Math.ceil(1_048_576 / part.length));
      expect(characterCount(draft({ reason: text }).fallbackFacts.reason ?? "")).toBeLessThanOrEqual(8192);
    }
  });
});
