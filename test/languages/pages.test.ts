import { readFileSync } from "node:fs";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { installCommand, LANGUAGES } from "../../scripts/languages/languages.ts";
import { temporaryFolder } from "../store/helpers/storeWorld.ts";
import { describeLanguages } from "./support/languages.ts";
import { blocksOf, runShell } from "./support/shellBlocks.ts";

const MANUAL = "docs/other-languages.md";

/** A plan is the same whatever the values. */
const ANY_VALUES = Object.fromEntries(
  [...readFileSync(MANUAL, "utf8").matchAll(/:([a-z_]+)/g)].map(([, name = ""]) => [name, null]),
);

/** Statements differ in their white space alone. */
function squeezed(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}

describeLanguages((name) => {
  const folder = `examples/languages/${name}`;

  it("conforms, but for what is known, and runs as its page tells", () => {
    const output = runShell(blocksOf(`${folder}/README.md`, "sh").join("\n"), temporaryFolder());
    expect(output).toMatch(/^\d+ cases: \d+ agree, \d+ known deviations?, 0 other deviations\.$/m);
    expect(output).toContain(readFileSync(`${folder}/mistakes.txt`, "utf8"));
  });

  it("makes no mistake that the database accepts", () => {
    const told = readFileSync(`${folder}/mistakes.txt`, "utf8").trim().split("\n");
    expect(told.length).toBeGreaterThanOrEqual(20);
    expect(told.filter((line) => !line.includes(": workflow_turn_intents"))).toEqual([]);
  });

  it("uses the statements of the manual", () => {
    const ending = { python: "py", go: "go", ruby: "rb" }[name];
    const used = squeezed(readFileSync(`${folder}/statements.${ending}`, "utf8"));
    const statements = blocksOf(MANUAL, "sql").filter((block) => block.includes("workflow_turn_intents"));
    expect(statements).toHaveLength(7);
    expect(statements.filter((block) => !used.includes(squeezed(block).trim()))).toEqual([]);
  });
});

describe("the pages on other languages", () => {
  it.each(LANGUAGES)("tell to install what $name needs", (language) => {
    const [first = ""] = blocksOf(`examples/languages/${language.name}/README.md`, "sh");
    expect(first.split("\n")).toContain(installCommand(language));
  });

  it("have statements that a new store takes", () => {
    const database = new Database(":memory:");
    database.exec(readFileSync("generated/ddl.sql", "utf8"));
    for (const block of blocksOf(MANUAL, "sql")) expect(() => database.prepare(block), block).not.toThrow();
    database.close();
  });

  it("find rows by an index", () => {
    const database = new Database(":memory:");
    database.exec(readFileSync("generated/ddl.sql", "utf8"));
    const onRows = blocksOf(MANUAL, "sql").filter((block) => block.includes("FROM workflow_turn_intents"));
    for (const block of onRows) {
      const plan = database.prepare<object, { readonly detail: string }>(`EXPLAIN QUERY PLAN ${block}`).all(ANY_VALUES);
      expect(
        plan.map(({ detail }) => detail).filter((detail) => detail.startsWith("SCAN workflow_turn_intents")),
        block,
      ).toEqual([]);
    }
    database.close();
  });

  it("name commands that there are", () => {
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { readonly scripts: object };
    const commands = blocksOf(MANUAL, "sh").join("").trim().split("\n");
    expect(commands.map((command) => command.split(" ").slice(0, 3))).toEqual(
      commands.map(() => ["npm", "run", "conformance"]),
    );
    expect(scripts).toMatchObject({ conformance: "node scripts/run.mjs scripts/languages/conformance.ts" });
  });

  it("need what CI installs", () => {
    const installed = new Set(readFileSync(".ci/run", "utf8").split(/\s+/));
    const needed = LANGUAGES.flatMap(({ packages }) => packages);
    expect(needed.filter((name) => !installed.has(name))).toEqual([]);
  });
});
