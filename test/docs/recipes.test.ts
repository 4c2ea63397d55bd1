import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { REPOSITORY, RepositoryCopy } from "../codegen/support/repositoryCopy.ts";

/** One thing to do: an edit of a file, or a command and what it says. */
interface Step {
  readonly kind: "diff" | "console";
  /** The file of an edit. */
  readonly file: string;
  readonly lines: readonly string[];
}

interface Recipe {
  readonly title: string;
  readonly steps: readonly Step[];
}

const [, ...SECTIONS] = readFileSync(join(REPOSITORY, "docs/recipes.md"), "utf8").split(/^## /m);
const RECIPES: readonly Recipe[] = SECTIONS.map((section) => {
  const blocks = section.matchAll(/^ {3}```(?<kind>diff|console) ?(?<file>\S*)\n(?<text>[\s\S]*?)^ {3}```$/gm);
  const steps = [...blocks].map(({ groups = {} }) => ({
    kind: groups["kind"] === "diff" ? ("diff" as const) : ("console" as const),
    file: groups["file"] ?? "",
    lines: (groups["text"] ?? "")
      .trimEnd()
      .split("\n")
      .map((line) => line.slice(3)),
  }));
  return { title: section.split("\n")[0] ?? "", steps };
});

const copy = new RepositoryCopy();
for (const name of ["src", "test"]) cpSync(join(REPOSITORY, name), join(copy.root, name), { recursive: true });

/** What is compiled of the copy: the parts that a recipe leads to, without Pi's types. */
const INCLUDED = ["generated", "src/contracts", "src/store", "src/turns", "test/contracts/wording.test.ts"];
writeFileSync(
  join(copy.root, "tsconfig.recipes.json"),
  JSON.stringify({ extends: "./tsconfig.json", include: INCLUDED }),
);

const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  "npm run generate": ["scripts/generate/main.ts"],
  "npm run types": ["node_modules/typescript/bin/tsc", "--noEmit", "--project", "tsconfig.recipes.json"],
};

/** Makes an edit: lines that begin with a minus go, those with a plus come, the others are there before and after. */
function edit({ file, lines }: Step): void {
  const without = (mark: string): string =>
    lines
      .filter((line) => !line.startsWith(mark))
      .map((line) => line.slice(1))
      .join("\n");
  copy.edit(file, without("+"), without("-"));
}

/** Runs a command, which succeeds or says what stands below it. */
function run({ lines: [command = "", ...said] }: Step): void {
  const { status, output } = copy.run(COMMANDS[command.replace(/^\$ /, "")] ?? []);
  // Line numbers move; nobody keeps them right on a page.
  const unnumbered = output.replace(/\(\d+,\d+\)/g, "");
  if (said.length === 0) expect({ status, output: unnumbered }).toMatchObject({ status: 0 });
  for (const line of said) expect(unnumbered).toContain(line);
  if (said.length > 0) expect(status).not.toBe(0);
}

describe("docs/recipes.md", () => {
  it("has the recipes that are asked for most, each with an edit and a command", () => {
    expect(RECIPES.map(({ title }) => title)).toEqual([
      "A field of a contract",
      "A column",
      "A cause",
      "A source event",
    ]);
    for (const { steps } of RECIPES)
      expect(new Set(steps.map(({ kind }) => kind))).toEqual(new Set(["diff", "console"]));
  });

  it.each(RECIPES)("can be followed: $title", ({ steps }) => {
    for (const step of steps) {
      if (step.kind === "diff") edit(step);
      else run(step);
    }
  });

  it("leads to a cause and an event that the event table knows", async () => {
    const { decideTurnIntent } = await import(join(copy.root, "src/turns/policy.ts"));
    expect(decideTurnIntent({ kind: "machineSlept" })).toMatchObject({ action: "create", cause: "machineSlept" });
  });
});
