import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { REPOSITORY } from "../../scripts/package/tarball.ts";

const read = (path: string): string => readFileSync(join(REPOSITORY, path), "utf8");
const { scripts } = JSON.parse(read("package.json")) as { readonly scripts: Readonly<Record<string, string>> };

/** The second column of the table of habits. */
const COMMANDS = [...read("CONTRIBUTING.md").matchAll(/^\| [^|]+ \| `(?<command>np[mx] [^`]+)`/gm)].map(
  ({ groups }) => groups?.["command"] ?? "",
);

/** The program of an npm script, with the files that it imports from its own folder. */
function sourceOf(script: string): string {
  const file = /\S+\.ts$/.exec(script.split(" --")[0] ?? "")?.[0];
  if (file === undefined) return script;
  const folder = join(file, "..");
  return globSync(`${folder}/*.ts`, { cwd: REPOSITORY }).map(read).join("\n");
}

describe("the habits in CONTRIBUTING.md", () => {
  it("are one command each, for formatting, checking, one test, one seed and one live scenario", () => {
    const needed = [
      "npm test",
      "npm run format",
      "npx vitest run ",
      "npm run simulate -- --replay ",
      "npm start -- --only ",
    ];
    expect(needed.filter((start) => !COMMANDS.some((command) => command.startsWith(start)))).toEqual([]);
  });

  it.each(COMMANDS.filter((command) => command.startsWith("npm ")))(
    "%s is a script, with options that it has",
    (command) => {
      const [, name = "", rest = ""] = /^npm (?:run )?(\S+)(?: -- (.*))?$/.exec(command) ?? [];
      expect(Object.keys(scripts)).toContain(name);
      const source = sourceOf(scripts[name] ?? "");
      for (const [, option = ""] of rest.matchAll(/--([a-z-]+)/g))
        expect(source).toMatch(new RegExp(`\\b${option}\\b`));
      for (const [, scenario = ""] of rest.matchAll(/--only (\w+)/g)) {
        expect(globSync("scenarios/*.ts", { cwd: REPOSITORY }).map(read).join("\n")).toContain(`name: "${scenario}"`);
      }
    },
  );

  it.each(COMMANDS.filter((command) => command.startsWith("npx vitest ")))("%s finds its test", (command) => {
    const [, file, name] = /^npx vitest run (?:(\S+\.ts)|-t "(.+)")$/.exec(command) ?? [];
    if (file !== undefined) expect(existsSync(join(REPOSITORY, file))).toBe(true);
    const tests = globSync("test/**/*.test.ts", { cwd: REPOSITORY }).map(read).join("\n");
    if (name !== undefined) expect(tests).toContain(`it("${name}"`);
    expect(file ?? name).toBeDefined();
  });
});
