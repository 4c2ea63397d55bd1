import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runSession, type SessionResult } from "../../src/cli/conformance/session.ts";
import type { ContractCase } from "../../src/conformance/corpus.ts";
import { temporaryFolder } from "../support/turnWorld.ts";
import { deferredTurns, type Outcome } from "./support/commandLine.ts";

const odd = (oddity: string): string => `"${process.execPath}" test/cli/support/oddProgram.mjs ${oddity}`;

const CASES = ["a", "b", "c"].map(
  (name): ContractCase => ({
    id: `file/${name}`,
    name,
    description: "A document.",
    rule: "json-text",
    kind: "contract",
    contract: "deferred-turn-facts.v1",
    input: { text: "{}" },
    valid: true,
  }),
);

const session = (command: string, deadlineMs = 20_000): Promise<SessionResult> =>
  runSession({ command, environment: {}, cases: CASES, deadlineMs });

describe("a session with a program", () => {
  it("asks every case and takes the answers", async () => {
    const { answers, failure } = await session(odd("none"));
    expect(failure).toBeUndefined();
    expect(answers.map(({ asked, answer }) => [asked.id, answer])).toEqual(
      CASES.map(({ id }) => [id, { kind: "decision", decision: "valid" }]),
    );
  });

  it.each([
    ["dies", "and ended with exit status 3 without an answer. It wrote to stderr:\nout of ideas"],
    ["chats", 'and its answer is no JSON object: "Loading 7 schemas"'],
    ["answers-before", "and answered request 3, the case file/c, before it was asked."],
    ["answers-again", "and answered request 1, the case file/a, a second time."],
    ["answers-nobody", "and answered a request 4711 that there is not."],
    ["answers-without-id", 'and its answer has no number "id": "{\\"valid\\":true}"'],
    ["answers-in-words", 'and its answer has no truth value "valid"'],
    ["floods", "and wrote 1048576 characters without a line break without an answer."],
  ])("that %s breaks off with a sentence that names the case", async (oddity, sentence) => {
    const { answers, failure } = await session(odd(oddity));
    expect(failure).toContain(`The program was asked request 2, the case file/b, ${sentence}`);
    expect(answers).toHaveLength(1);
  });

  it("that hangs is ended at the deadline, with all that it started", async () => {
    const { failure } = await session(`sleep 1000; ${odd("none")}`, 300);
    expect(failure).toContain("was asked request 1, the case file/a, and did not answer within 0.3 s.");
  });

  it.each([
    ["ends-badly", "The program ended with exit status 5 after its last answer."],
    ["says-more", 'The program wrote another line after its last answer: "{\\"id\\":3,\\"valid\\":true}"'],
  ])("that %s after its last answer is told of", async (oddity, sentence) => {
    const { answers, failure } = await session(odd(oddity));
    expect(failure).toContain(sentence);
    expect(answers).toHaveLength(3);
  });

  it("that goes on after its input has ended is ended", async () => {
    const { failure } = await session(odd("goes-on"), 3000);
    expect(failure).toBe("The program did not end after its input had ended within 3 s.");
  });
});

describe("deferred-turns conformance", () => {
  const ONLY = ["--only", "deferred-turn-facts.v1/cause-*ed"];
  const command = (...args: readonly string[]): Promise<Outcome> => deferredTurns(["conformance", ...args]);

  function known(deviations: readonly object[]): string {
    const path = join(temporaryFolder(), "known.json");
    writeFileSync(path, JSON.stringify({ kind: "known", deviations }));
    return path;
  }

  const DEVIATION = { case: "deferred-turn-facts.v1/cause-failed", answer: "invalid", reason: "It cannot tell." };

  it("ends with 0 where every case agrees", async () => {
    const { status, stdout } = await command("--run", odd("none"), ...ONLY);
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: "4 cases: 4 agree, 0 known deviations, 0 other deviations.",
    });
  });

  it("ends with 1 and tells of each deviation what is right, and by which rule", async () => {
    const { status, stdout, stderr } = await command("--run", odd("decides-otherwise"), ...ONLY);
    expect(status).toBe(1);
    expect(stdout).toContain("DEVIATES  deferred-turn-facts.v1/cause-failed: invalid, right is valid.");
    expect(stdout).toContain("known-cause: A cause is one of the six that the contract lists.");
    expect(stderr).toBe("The program does not conform: 1 case decided otherwise.");
  });

  it("counts a case that a program cannot decide as a deviation", async () => {
    const { status, stdout } = await command("--run", odd("cannot-decide"), ...ONLY);
    expect(status).toBe(1);
    expect(stdout).toContain("cause-failed: unsupported (no such contract here), right is valid.");
  });

  it("takes a deviation that is known", async () => {
    const { status, stdout } = await command("--run", odd("decides-otherwise"), ...ONLY, "--known", known([DEVIATION]));
    expect(status).toBe(0);
    expect(stdout).toContain("known     deferred-turn-facts.v1/cause-failed: invalid. It cannot tell.");
    expect(stdout).toContain("4 cases: 3 agree, 1 known deviation, 0 other deviations.");
  });

  it("fails on a known deviation that is gone", async () => {
    const { status, stdout, stderr } = await command("--run", odd("none"), ...ONLY, "--known", known([DEVIATION]));
    expect(status).toBe(1);
    expect(stdout).toContain("GONE      deferred-turn-facts.v1/cause-failed: listed as known with the answer invalid");
    expect(stderr).toContain("1 known deviation gone");
  });

  it.each([
    [{ ...DEVIATION, reason: " " }, "the reason for deferred-turn-facts.v1/cause-failed is missing"],
    [{ ...DEVIATION, case: "nowhere/none" }, 'the corpus has no case "nowhere/none"'],
    [{ case: DEVIATION.case, reason: "x" }, "the answer to deferred-turn-facts.v1/cause-failed is missing"],
  ])("refuses a list that cannot be right: %j", async (deviation, sentence) => {
    const { status, stderr } = await command("--run", odd("none"), "--known", known([deviation]));
    expect(status).toBe(1);
    expect(stderr).toContain(sentence);
  });

  it("writes the report as JSON", async () => {
    const { stdout } = await command("--run", odd("decides-otherwise"), ...ONLY, "--json");
    expect(JSON.parse(stdout)).toMatchObject({
      format: "deferred-turns-conformance.v1",
      cases: 4,
      agreed: 3,
      deviations: [{ case: DEVIATION.case, expected: "valid", answer: "invalid", rule: "known-cause" }],
    });
  });

  it.each([[[]], [["--run", "true", "--only", "no-such-case"]], [["--run", "true", "--timeout", "soon"]]])(
    "ends with 2 where it is misused: %j",
    async (args) => {
      const { status, stderr } = await command(...args);
      expect(status).toBe(2);
      expect(stderr).toContain("Usage: deferred-turns conformance");
    },
  );
});
