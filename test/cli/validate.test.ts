import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { publishedFiles, readCorpus } from "../../src/conformance/corpus.ts";
import { REPOSITORY } from "../codegen/support/repositoryCopy.ts";
import { temporaryFolder } from "../store/helpers/storeWorld.ts";
import { deferredTurns, input } from "./support/commandLine.ts";

const FACTS = {
  schema: "pi-workflows.deferred-turn-facts.v1",
  workflowName: "w",
  runId: "r",
  observedState: "failed",
  cause: "failed",
  nodeId: null,
  attemptId: null,
  reason: null,
  handoff: false,
};

describe("deferred-turns validate", () => {
  it("reads a file, and a pipe", async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "facts.json"), JSON.stringify(FACTS));
    const args = ["validate", "deferred-turn-facts.v1"];
    const file = await deferredTurns([...args, "facts.json"], { folder });
    expect(file).toEqual({ status: 0, stdout: "facts.json is valid: deferred-turn-facts.v1.", stderr: "" });
    expect((await deferredTurns(args, input(JSON.stringify(FACTS)))).status).toBe(0);
  });

  it("tells every violation, with a JSON pointer to its place", async () => {
    const broken = { ...FACTS, cause: "bored", "a/b": 1 };
    const { status, stdout } = await deferredTurns(
      ["validate", "deferred-turn-facts.v1", "--json"],
      input(JSON.stringify(broken)),
    );
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      format: "deferred-turns-validate.v1",
      contract: "deferred-turn-facts.v1",
      file: "-",
      valid: false,
      violations: [
        { path: "/a~1b", message: "/a~1b is not a field of this contract." },
        { path: "/cause", message: expect.stringMatching(/^\/cause must be one of "agentCancelled"/) },
      ],
    });
  });

  it.each([
    ["what is no JSON", "{", "the text is no JSON"],
    [
      "a field that is given twice",
      JSON.stringify(FACTS).replace("{", '{"runId":"x",'),
      'the field "runId" is given twice',
    ],
  ])("refuses %s", async (_what, text, sentence) => {
    const { status, stdout } = await deferredTurns(["validate", "deferred-turn-facts.v1"], input(text));
    expect(status).toBe(1);
    expect(stdout).toContain(sentence);
  });

  it("decides each document of the corpus as the corpus does", async () => {
    const { cases } = readCorpus(publishedFiles(REPOSITORY));
    const documents = cases.filter((each) => each.kind === "contract");
    const wrong: string[] = [];
    for (const { id, contract, input: document, valid } of documents) {
      const bytes = Buffer.from(
        "text" in document ? document.text : document.base64,
        "text" in document ? "utf8" : "base64",
      );
      const { status } = await deferredTurns(["validate", contract], { readInput: () => Promise.resolve(bytes) });
      if (status !== (valid ? 0 : 1)) wrong.push(id);
    }
    expect(documents.length).toBeGreaterThan(300);
    expect(wrong).toEqual([]);
  });

  it("ends with 1 for a file that is not there, with 2 for an unknown contract", async () => {
    expect(await deferredTurns(["validate", "deferred-turn-facts.v1", "nowhere.json"])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("The document cannot be read: ENOENT"),
    });
    expect(await deferredTurns(["validate", "facts"])).toMatchObject({ status: 2 });
  });
});

describe("deferred-turns id", () => {
  const { cases } = readCorpus(publishedFiles(REPOSITORY));
  const known = cases.filter((each) => each.kind === "identity");

  it("computes from JSON what the corpus says, and refuses what it refuses", async () => {
    const wrong: string[] = [];
    for (const { id, function: name, parts, digest } of known) {
      const { status, stdout } = await deferredTurns(["id", name], input(JSON.stringify(parts)));
      if (digest === null ? status !== 1 : stdout !== digest) wrong.push(id);
    }
    expect(known.length).toBeGreaterThan(50);
    expect(wrong).toEqual([]);
  });

  it("computes the same from options", async () => {
    const args = ["--kind", "attempt", "--run-id", "r", "--node-id", "build"];
    const fromOptions = await deferredTurns(["id", "sourceEventId", ...args, "--json"]);
    const parts = { kind: "attempt", runId: "r", nodeId: "build", attemptId: null };
    const fromJson = await deferredTurns(["id", "sourceEventId"], input(JSON.stringify(parts)));
    expect(JSON.parse(fromOptions.stdout)).toEqual({
      format: "deferred-turns-id.v1",
      function: "sourceEventId",
      id: fromJson.stdout,
    });
  });

  it.each([
    { args: ["resolutionMessageId"], hint: "required option '--intent-id' not specified" },
    { args: ["turnIntentId", "--cause", "bored"], hint: "Allowed choices are agentCancelled" },
    { args: [], hint: "Commands:" },
  ])("says how it is used when it is misused: $args", async ({ args, hint }) => {
    const { status, stderr } = await deferredTurns(["id", ...args]);
    expect({ status, isHelpful: stderr.includes(hint) }).toEqual({ status: 2, isHelpful: true });
  });
});
