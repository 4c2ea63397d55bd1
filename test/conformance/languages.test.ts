import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { runSession } from "../../src/cli/conformance/session.ts";
import { judge } from "../../src/conformance/judgement.ts";
import { CORPUS, PUBLISHED } from "./support/corpus.ts";

const PROGRAM = "examples/languages/typescript/program.ts";

/** The lines of the session in docs/conformance.md that begin with a mark. */
function session(mark: ">" | "<"): readonly string[] {
  const page = readFileSync(new URL("../../docs/conformance.md", import.meta.url), "utf8");
  const [, block = ""] = /```text\n(.*?)```/s.exec(page) ?? [];
  return block
    .split("\n")
    .filter((line) => line.startsWith(`${mark} `))
    .map((line) => line.slice(2));
}

describe("the program in TypeScript", () => {
  it("says what the session of docs/conformance.md shows", () => {
    const { stdout, stderr } = spawnSync(process.execPath, ["scripts/run.mjs", PROGRAM], {
      input: `${session(">").join("\n")}\n`,
      encoding: "utf8",
    });
    expect(stderr).toBe("");
    expect(stdout.trim().split("\n").map(parse)).toEqual(session("<").map(parse));
  });

  it("decides every case as the corpus says", async () => {
    const { answers, failure } = await runSession({
      command: `"${process.execPath}" scripts/run.mjs ${PROGRAM}`,
      environment: { DEFERRED_TURNS_SCHEMAS: PUBLISHED.schemas, DEFERRED_TURNS_DDL: PUBLISHED.ddl },
      cases: CORPUS.cases,
      deadlineMs: 30_000,
    });
    expect(failure).toBeUndefined();
    expect(judge(answers, [])).toEqual({ agreed: CORPUS.cases.length, known: [], deviations: [], gone: [] });
  });
});

function parse(line: string): unknown {
  return JSON.parse(line);
}
