import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { PEERS } from "../../src/contractDiff/peers.ts";
import { REPOSITORY } from "../codegen/support/repositoryCopy.ts";
import { temporaryFolder } from "../support/turnWorld.ts";

const FILE = "deferred-turn-message.v1.schema.json";
const PAGE = readFileSync(join(REPOSITORY, "docs/reviewing-contracts.md"), "utf8");

it("the example of docs/reviewing-contracts.md is what the command says", () => {
  const folder = temporaryFolder();
  const text = readFileSync(join(REPOSITORY, "schemas", FILE), "utf8");
  const schema = JSON.parse(text);
  schema.properties.cause.enum = schema.properties.cause.enum.filter((cause: string) => cause !== "claimLost");
  schema.properties.note = { title: "Note", type: "string", maxLength: 200 };
  schema.properties.runId.description = "The run.";
  for (const [side, content] of [
    ["before", text],
    ["after", JSON.stringify(schema)],
  ] as const) {
    mkdirSync(join(folder, side));
    writeFileSync(join(folder, side, FILE), content);
  }
  const entry = join(REPOSITORY, "src/cli/entry.ts");
  const args = [entry, "contract", "diff", "before", "after"];
  const { stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
  expect(/^```text\n(.*?)```$/ms.exec(PAGE)?.[1]).toBe(stdout);
});

it("the page tells what to install", () => {
  const words = PAGE.replaceAll(/\\\n\s*/g, "");
  const packages = Object.entries(PEERS).map(([name, version]) => `${name}@${version}`);
  expect(words).toContain(`npm install --save-dev ${packages.join(" ")}`);
});
