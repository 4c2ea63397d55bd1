import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type EditableSchema, type Outcome, REPOSITORY } from "../codegen/support/repositoryCopy.ts";
import { temporaryFolder } from "../support/turnWorld.ts";

const ENTRY = join(REPOSITORY, "src/cli/entry.ts");
const FACTS = "schemas/deferred-turn-facts.v1.schema.json";

function run(args: readonly string[], cwd: string, entry = ENTRY): Outcome {
  const { status, stdout, stderr } = spawnSync(process.execPath, [entry, "contract", "diff", ...args], {
    cwd,
    encoding: "utf8",
  });
  return { status, output: `${stdout}${stderr}` };
}

/** A folder with one contract of this repository, which may be edited, and with the model where the test needs it. */
function contracts(edit: (schema: EditableSchema) => void = () => undefined, more: readonly string[] = []): string {
  const folder = temporaryFolder();
  for (const name of [FACTS, ...more]) cpSync(join(REPOSITORY, name), join(folder, name));
  editFacts(folder, edit);
  return folder;
}

function editFacts(folder: string, edit: (schema: EditableSchema) => void): void {
  const schema = JSON.parse(readFileSync(join(folder, FACTS), "utf8"));
  edit(schema);
  writeFileSync(join(folder, FACTS), JSON.stringify(schema));
}

describe("deferred-turns contract diff", () => {
  it("ends with 1 on a break, and shows the row of an existing store that is lost", () => {
    const folder = contracts(
      ({ properties }) => {
        properties["reason"] = { ...properties["reason"], maxLength: 8191 };
      },
      ["prisma/schema.prisma"],
    );
    const { status, output } = run([contracts(undefined, ["prisma/schema.prisma"]), folder], folder);
    expect(status).toBe(1);
    expect(output).toMatch(/^BREAK: deferred-turn-facts.v1[;.]/);
    expect(output).toContain("rows already stored: broken. New programs cannot read a row that holds such a document");
    expect(output).toMatch(/The change breaks a contract\.\n$/);
  });

  it("ends with 0 on none, in each form", () => {
    const same = contracts();
    expect(run([join(REPOSITORY, FACTS), join(same, FACTS)], same)).toMatchObject({ status: 0 });
    expect(run([join(REPOSITORY, FACTS), join(same, FACTS), "--markdown"], same).output).toContain(
      "### Contracts: No change",
    );
    const { output } = run([join(REPOSITORY, FACTS), join(same, FACTS), "--json"], same);
    expect(JSON.parse(output)).toMatchObject({ format: "contract-diff.v1", verdict: "noChange" });
  });

  it("compares a git revision with the working tree, and with another", () => {
    const folder = contracts();
    const git = (...args: string[]): void => {
      const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.org"];
      expect(spawnSync("git", [...identity, ...args], { cwd: folder, encoding: "utf8" }).stderr).toBe("");
    };
    git("init", "--quiet");
    git("add", ".");
    git("commit", "--quiet", "--message", "one");
    editFacts(folder, ({ properties }) => {
      properties["exitCode"] = { type: "integer" };
    });
    const tree = run(["--git", "HEAD"], folder);
    expect(tree).toMatchObject({ status: 0, output: expect.stringContaining("compatible: deferred-turn-facts.v1.") });
    git("commit", "--quiet", "--all", "--message", "two");
    expect(run(["--git", "HEAD", "HEAD~1"], folder)).toMatchObject({
      status: 1,
      output: expect.stringContaining("From HEAD to HEAD~1."),
    });
  });

  it.each([
    [
      "a folder that is not there",
      ["nowhere", "."],
      "error: There is no file or folder nowhere. To compare git revisions, add --git.",
    ],
    [
      "a folder without contracts",
      [".", "."],
      "error: . has no schemas (*.schema.json) and no Prisma model (schema.prisma).",
    ],
    ["a revision that is not there", ["--git", "nonsense"], "error: There is no git revision nonsense here."],
    [
      "a revision that looks like an option",
      ["--git", "--", "--output=x"],
      "error: There is no git revision --output=x here.",
    ],
    ["one side", ["."], "error: missing required argument 'NEW'"],
  ])("ends with 2 on %s", (_name, args, sentence) => {
    const folder = temporaryFolder();
    spawnSync("git", ["init", "--quiet"], { cwd: folder });
    const { status, output } = run(args, folder);
    expect(output).toContain(sentence);
    expect(status).toBe(2);
  });

  it("ends with 2 on a file that is no JSON", () => {
    const folder = contracts();
    writeFileSync(join(folder, FACTS), "{");
    expect(run([REPOSITORY, folder], folder)).toMatchObject({
      status: 2,
      output: expect.stringContaining(`${FACTS} is not JSON:`),
    });
  });
});

/** The package without the packages that only a comparison needs; returns its folder. */
function bareInstallation(): string {
  const root = temporaryFolder();
  for (const name of ["codegen", "generated", "src", "package.json", "schemas", "prisma"]) {
    cpSync(join(REPOSITORY, name), join(root, name), { recursive: true });
  }
  mkdirSync(join(root, "node_modules"));
  for (const name of ["better-sqlite3", "commander", "mustache"]) {
    symlinkSync(join(REPOSITORY, "node_modules", name), join(root, "node_modules", name));
  }
  return root;
}

describe("an installation without the packages that a comparison needs", () => {
  it("starts the command's other parts", () => {
    const entry = join(bareInstallation(), "src/cli/entry.ts");
    const { status } = spawnSync(process.execPath, [entry, "--help"], { encoding: "utf8" });
    expect(status).toBe(0);
  });

  it("says what to install", () => {
    const root = bareInstallation();
    const { status, output } = run([".", "."], root, join(root, "src/cli/entry.ts"));
    expect(output).toMatch(
      /^error: Comparing contracts needs packages that are not installed here: npm install --save-dev ajv@/,
    );
    expect(status).toBe(2);
  });
});
