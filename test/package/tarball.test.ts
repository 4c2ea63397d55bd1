import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { REPOSITORY } from "../codegen/support/repositoryCopy.ts";

/** A project that has this package installed as npm would, and nothing else. */
const project = mkdtempSync(join(tmpdir(), "deferred-turns-installed-"));
const installed = join(project, "node_modules/pi-deferred-turns");
afterAll(() => rmSync(project, { recursive: true, force: true }));

function run(program: string, args: readonly string[]): { readonly status: number | null; readonly output: string } {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: project, encoding: "utf8" });
  return { status, output: `${stdout}${stderr}` };
}

/** Runs a module of the project. */
function module(source: string): unknown {
  const { status, output } = run(process.execPath, ["--input-type=module", "--eval", source]);
  expect({ status, output }).toMatchObject({ status: 0 });
  return JSON.parse(output);
}

beforeAll(() => {
  mkdirSync(installed, { recursive: true });
  for (const name of ["package.json", "bin", "generated", "schemas"]) {
    cpSync(join(REPOSITORY, name), join(installed, name), { recursive: true });
  }
  // Types are checked elsewhere.
  const build = ["tsc", "--project", "tsconfig.build.json", "--noCheck", "--outDir", join(installed, "dist")];
  const { status, stdout } = spawnSync("npx", build, { cwd: REPOSITORY, encoding: "utf8" });
  expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
}, 120_000);

describe("the installed package, without Pi, without SQLite and without any other package", () => {
  it("validates", () => {
    const source = `
      import { isNaturalMessageDetails, deferredTurnFactsViolations } from "pi-deferred-turns/validators";
      const details = { turnIntentId: "deferred-turn:" + "0".repeat(64) };
      console.log(JSON.stringify([isNaturalMessageDetails(details), deferredTurnFactsViolations(1).length]));`;
    expect(module(source)).toEqual([true, 1]);
  });

  it("reads, builds and names the values of contracts", () => {
    const source = `
      import { parseContractText, sourceEventId } from "pi-deferred-turns/contracts";
      const id = sourceEventId({ kind: "attempt", runId: "run-1", nodeId: "build", attemptId: "attempt-1" });
      let code = "none";
      try { parseContractText("deferred-turn-facts.v1", "[]"); } catch (error) { code = error.code; }
      console.log(JSON.stringify([id, code]));`;
    const id = "source-event:6341804e7b179f333eb498066c236f16a4bac7883e1db2236522f33ecd35cf3d";
    expect(module(source)).toEqual([id, "CONTRACT_VIOLATION"]);
  });

  it("has the schemas, the corpus and the DDL by name", () => {
    const source = `
      import { readFileSync } from "node:fs";
      import schema from "pi-deferred-turns/schemas/deferred-turn-facts.v1.schema.json" with { type: "json" };
      import rules from "pi-deferred-turns/vectors/rules.json" with { type: "json" };
      const ddl = readFileSync(new URL(import.meta.resolve("pi-deferred-turns/ddl.sql")), "utf8");
      console.log(JSON.stringify([schema.$id, rules.kind, ddl.includes("CREATE TRIGGER")]));`;
    expect(module(source)).toEqual(["urn:pi-workflows:deferred-turn-facts.v1", "rules", true]);
  });

  it("has types", () => {
    const source = `
      import { isDeferredTurnFacts } from "pi-deferred-turns/validators";
      import { type DeferredTurnFacts, turnIntentId } from "pi-deferred-turns/contracts";
      export function causeOf(value: unknown): DeferredTurnFacts["cause"] | undefined {
        return isDeferredTurnFacts(value) ? value.cause : undefined;
      }
      // @ts-expect-error: an identity has six parts
      turnIntentId({ runId: "run-1" });
    `;
    writeFileSync(join(project, "package.json"), '{ "type": "module" }');
    writeFileSync(join(project, "consumer.ts"), source);
    const tsc = join(REPOSITORY, "node_modules/typescript/bin/tsc");
    const strict = ["--strict", "--noEmit", "--types", "", "--module", "nodenext", "--target", "es2023"];
    expect(run(process.execPath, [tsc, ...strict, "consumer.ts"])).toEqual({ status: 0, output: "" });
  });
});

describe("the installed package with its dependencies", () => {
  it("has a command that finds the corpus", () => {
    for (const name of ["better-sqlite3", "commander", "mustache"]) {
      symlinkSync(join(REPOSITORY, "node_modules", name), join(project, "node_modules", name));
    }
    const command = join(installed, "bin/deferred-turns.mjs");
    const program = `"${process.execPath}" "${join(REPOSITORY, "test/cli/support/oddProgram.mjs")}"`;
    const args = ["conformance", "--run", program, "--only", "deferred-turn-facts.v1/launch"];
    expect(run(process.execPath, [command, ...args])).toEqual({
      status: 0,
      output: "1 case: 1 agree, 0 known deviations, 0 other deviations.\n",
    });
  });
});
