import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../store/helpers/storeWorld.ts";

/** A machine on which no language beside TypeScript works. */
function withoutLanguages(): NodeJS.ProcessEnv {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "jsonschema.py"), "raise ImportError('not here')\n");
  return { ...process.env, PYTHONPATH: folder, RUBYOPT: "-rnot-here", GOROOT: join(folder, "none") };
}

/** `npm run conformance -- …args` on such a machine. */
function conformance(...args: readonly string[]) {
  const words = ["scripts/run.mjs", "scripts/languages/conformance.ts", ...args];
  return spawnSync(process.execPath, words, { encoding: "utf8", env: withoutLanguages() });
}

/** Two cases are enough to see what it does with cases. */
const TWO = ["--only", "turn-intent-id/launch*"];

const TYPESCRIPT = "typescript: 2 cases: 2 agree, 0 known deviations, 0 other deviations.";

describe("npm run conformance", () => {
  it("always asks the program in TypeScript, and says in a line how to get each other one that is missing", () => {
    const { status, stdout } = conformance(...TWO);
    const [typescript, ...others] = stdout.trim().split("\n");
    expect(typescript).toBe(TYPESCRIPT);
    expect(others).toEqual([
      expect.stringMatching(/^python: missing; apt-get install .* python3-jsonschema/),
      expect.stringMatching(/^go: missing; apt-get install .* golang-github-xeipuuv-gojsonschema-dev/),
      expect.stringMatching(/^ruby: missing; apt-get install .* ruby-json-schemer/),
    ]);
    expect(status).toBe(0);
  });

  it("fails where one that is required is missing", () => {
    const { status, stdout } = conformance(...TWO, "--require", "ruby");
    expect(stdout).toContain(TYPESCRIPT);
    expect(status).toBe(1);
  });

  it.each([
    [["--require", "rubby"], 'there is no "rubby"; give some of python, go, ruby.'],
    [["--only", "nothing/*"], "No case has a name like nothing/*; schemas/vectors/ has the names."],
    [["--quick"], "Unknown option '--quick'"],
  ])("refuses %j", (args, sentence) => {
    const { status, stderr } = conformance(...args);
    expect(stderr).toContain(sentence);
    expect(status).toBe(2);
  });
});
