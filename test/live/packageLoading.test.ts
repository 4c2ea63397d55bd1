import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runPiCommand } from "../../scenarios/support/piCli.ts";
import { runPrintMode } from "../../scenarios/support/printMode.ts";
import { writeScript } from "../../scenarios/support/scriptFiles.ts";
import { createWorld, type World } from "../../scenarios/support/world.ts";
import { expectOneSuccessor, PROMPT, STEPS, SUCCESSOR_EXTENSION } from "./support/successorTurn.ts";

let world: World;
beforeEach(() => {
  world = createWorld();
});
afterEach(() => world.dispose());

/** A package in Pi's working directory whose manifest names `entry`; its extension is the one that asks for a turn. */
function writePackage(entry: string): void {
  const root = join(world.projectDir, "package");
  mkdirSync(join(root, "src"), { recursive: true });
  writeFileSync(join(root, "package.json"), JSON.stringify({ name: "a-package", pi: { extensions: [entry] } }));
  writeFileSync(join(root, "src/main.ts"), `export { default } from ${JSON.stringify(SUCCESSOR_EXTENSION)};\n`);
}

const run = () => ({ world, script: writeScript(world, STEPS), prompts: [PROMPT] });

describe("a package directory", () => {
  it("is loaded by -e ./package through pi.extensions of its package.json, relative to the package", async () => {
    writePackage("./src/main.ts");
    const result = await runPrintMode({ ...run(), extensions: ["./package"] });
    expectOneSuccessor(result.calls, result.entries);
  });

  it("is loaded after pi install ./package", async () => {
    writePackage("./src/main.ts");
    expect(await runPiCommand(world, ["install", "./package"])).toMatchObject({ status: 0 });
    const result = await runPrintMode({ ...run(), extensions: [], installed: true });
    expectOneSuccessor(result.calls, result.entries);
  });

  it("loads nothing, and nobody says so, when pi.extensions names a file that is not there", async () => {
    writePackage("./src/misspelt.ts");
    const result = await runPrintMode({ ...run(), extensions: ["./package"] });
    expect(result).toMatchObject({ status: 0, stderr: "", stdout: "First answer.\n" });
  });
});
