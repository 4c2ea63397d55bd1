import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { draft, runClaim, storeWorld } from "../store/helpers/storeWorld.ts";
import { deferredTurns, input } from "./support/commandLine.ts";

const PAGE = readFileSync(new URL("../../docs/cli.md", import.meta.url), "utf8");

type Document = Readonly<Record<string, unknown>>;

/** The JSON documents of the page, by their format. */
const DOCUMENTED = new Map(
  Array.from(PAGE.matchAll(/```json\n(.*?)```/gs), ([, text = ""]) => {
    const document: Document = JSON.parse(text);
    return [document["format"], document] as const;
  }),
);

async function written(): Promise<readonly Document[]> {
  const { store, path, clock } = storeWorld();
  const json = { workflowSourceJson: "{}", definitionDigest: "0", inputJson: "{}", launchOptionsJson: "{}" };
  store.enqueueWorkflowRun({ runId: "run-1", workflowRef: "w", workflowPath: "w.json", ...json });
  const { intentId } = store.ensureWorkflowTurnIntent(draft()).intent;
  store.claimWorkflowTurnIntentForRun(runClaim("a"));
  const at = ["--store", path, "--json"];
  const outcomes = [
    await deferredTurns(["list", ...at], { now: clock.now }),
    await deferredTurns(["show", intentId, ...at], { now: clock.now }),
    await deferredTurns(["doctor", ...at], { now: clock.now }),
    await deferredTurns(["interrupt", "run-1", ...at], { now: clock.now }),
    await deferredTurns(["validate", "deferred-turn-facts.v1", "--json"], input("{}")),
    await deferredTurns(["id", "sourceEventId", "--kind", "k", "--run-id", "r", "--json"]),
  ];
  return outcomes.map(({ stdout }) => JSON.parse(stdout));
}

const membersOf = (value: unknown): readonly string[] => Object.keys(value as object).toSorted();

describe("docs/cli.md", () => {
  it("has the members of every document that the command writes", async () => {
    const documents = await written();
    expect(documents.map(membersOf)).toEqual(documents.map(({ format }) => membersOf(DOCUMENTED.get(format))));
    const intentIn = (document: Document = {}): unknown => [document["intents"]].flat()[0];
    expect(membersOf(intentIn(documents[0]))).toEqual(membersOf(intentIn(DOCUMENTED.get("deferred-turns-list.v1"))));
    expect([...DOCUMENTED.keys()].toSorted()).toEqual(
      [...documents.map(({ format }) => format), "deferred-turns-watch.v1"].toSorted(),
    );
  });

  it("tells of every command", async () => {
    const { stdout } = await deferredTurns(["--help"]);
    const commands = Array.from(stdout.matchAll(/^ {2}([a-z]+) .* {2}[a-z]/gm), ([, name = ""]) => name);
    expect(commands.length).toBeGreaterThan(9);
    for (const command of commands) expect(PAGE.toLowerCase()).toMatch(new RegExp(`^## .*${command}`, "m"));
  });
});

describe("the command itself", () => {
  it("tells its version, and how a command is used", async () => {
    const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
    expect(await deferredTurns(["--version"])).toEqual({ status: 0, stdout: version, stderr: "" });
    expect(await deferredTurns(["help", "list"])).toEqual(await deferredTurns(["list", "--help"]));
    expect(await deferredTurns(["help"])).toEqual(await deferredTurns(["--help"]));
  });
});

describe("the help of each command", () => {
  const PATHS = ["list", "show", "watch", "doctor", "interrupt", "validate", "id", "id turnIntentId"];
  it.each([...PATHS, "conformance", "contract", "contract diff", "completion"])(
    "%s teaches by examples",
    async (path) => {
      const { status, stdout } = await deferredTurns([...path.split(" "), "--help"]);
      expect(status).toBe(0);
      expect(stdout).toContain("Examples:\n  $ ");
      expect(stdout).toContain(`deferred-turns ${path.split(" ")[0]}`);
    },
  );
});
