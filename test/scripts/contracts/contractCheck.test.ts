import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { announcesBreak, readUnreleased } from "../../../scripts/contracts/changelog.ts";
import { type Outcome, REPOSITORY } from "../../codegen/support/repositoryCopy.ts";
import { temporaryFolder } from "../../support/turnWorld.ts";

const FACTS = "schemas/deferred-turn-facts.v1.schema.json";
const HEADING = "## [0.2.0] - unreleased";

/** A checkout with the contracts as they were released, and a changelog. */
class Checkout {
  readonly root = temporaryFolder();

  constructor(changelog: string) {
    for (const name of ["contracts", "package.json"])
      cpSync(join(REPOSITORY, name), join(this.root, name), { recursive: true });
    cpSync(join(REPOSITORY, "contracts/0.1.0"), this.root, { recursive: true });
    for (const name of ["codegen", "dev", "generated", "node_modules", "scripts", "src"])
      symlinkSync(join(REPOSITORY, name), join(this.root, name));
    this.write("CHANGELOG.md", changelog);
  }

  write(path: string, text: string): void {
    mkdirSync(join(this.root, path, ".."), { recursive: true });
    writeFileSync(join(this.root, path), text);
  }

  tightenFacts(): void {
    const schema = JSON.parse(readFileSync(join(this.root, FACTS), "utf8"));
    schema.properties.reason.maxLength = 100;
    this.write(FACTS, JSON.stringify(schema));
  }

  run(script: "check" | "release"): Outcome {
    const file = join(REPOSITORY, "scripts/contracts", `${script}.ts`);
    const { status, stdout, stderr } = spawnSync(process.execPath, [file], { cwd: this.root, encoding: "utf8" });
    return { status, output: `${stdout}${stderr}` };
  }
}

describe("npm run contract:check", () => {
  it("passes while the contracts are those that were released", () => {
    expect(new Checkout(HEADING).run("check")).toMatchObject({
      status: 0,
      output: expect.stringContaining("No change."),
    });
  });

  it("fails on a break that the changelog does not announce, and says what to write", () => {
    const checkout = new Checkout(`${HEADING}\n\n- Mentions \`deferred-turn-facts.v1\`.\n`);
    checkout.tightenFacts();
    const { status, output } = checkout.run("check");
    expect(status).toBe(1);
    expect(output).toContain(
      `deferred-turn-facts.v1 breaks. If that is meant, say in CHANGELOG.md under "${HEADING}" what a user must do:\n- Breaks \`deferred-turn-facts.v1\`: …`,
    );
  });

  it("passes on a break that it announces", () => {
    const checkout = new Checkout(`${HEADING}\n\n- Breaks\n  \`deferred-turn-facts.v1\`: shorten reasons.\n`);
    checkout.tightenFacts();
    expect(checkout.run("check")).toMatchObject({ status: 0 });
  });
});

describe("npm run contract:release", () => {
  it("keeps the contracts of a version until it is released, and then for good", () => {
    const checkout = new Checkout("## [0.1.0] - unreleased\n");
    checkout.tightenFacts();
    expect(checkout.run("release")).toMatchObject({ status: 0, output: expect.stringContaining("contracts/0.1.0") });
    expect(checkout.run("check")).toMatchObject({ status: 0, output: expect.stringContaining("No change.") });
    checkout.write("CHANGELOG.md", "## [0.1.0] - 2026-09-01\n");
    expect(checkout.run("release")).toMatchObject({ status: 1, output: expect.stringContaining("raise the version") });
  });
});

describe("an entry of the changelog", () => {
  const changelog = `# Changelog\n\n${HEADING}\n\n- Breaks \`a.v1\` and\n  \`b.v1\`: because of \`c.v1\`.\n- \`d.v1\` is new.\n\n## [0.1.0] - 2026-01-01\n\n- Breaks \`old.v1\`: long ago.\n`;

  it.each([
    ["a.v1", true],
    ["b.v1", true],
    ["c.v1", false],
    ["d.v1", false],
    ["old.v1", false],
  ])("announces the break of %s: %s", (name, announced) => {
    expect(announcesBreak(readUnreleased(changelog), name)).toBe(announced);
  });
});
