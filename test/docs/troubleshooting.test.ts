import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { REPOSITORY } from "../../scripts/package/tarball.ts";

const read = (path: string): string => readFileSync(join(REPOSITORY, path), "utf8");
const PAGE = read("docs/troubleshooting.md");
const EXPLAINED = [...PAGE.matchAll(/^\| `(?<code>[A-Z]+(_[A-Z]+)*)` /gm)].map(({ groups }) => groups?.["code"]);

/** Codes of errors and of diagnostics, wherever the sources give one. */
const GIVEN = globSync("src/{contracts,store,turns,pi,runtime}/**/*.ts", { cwd: REPOSITORY }).flatMap((path) =>
  [...read(path).matchAll(/(?:\bcode: |^ {2}\| |: )"(?<code>[A-Z]+(_[A-Z]+)*)"/gm)].map(
    ({ groups }) => groups?.["code"],
  ),
);

describe("the troubleshooting page", () => {
  it("explains every code that an error or a diagnostic can have, once", () => {
    expect([...new Set(GIVEN)].filter((code) => !EXPLAINED.includes(code))).toEqual([]);
    expect(EXPLAINED).toEqual([...new Set(EXPLAINED)]);
  });

  it("explains no code that is never given", () => {
    expect(EXPLAINED.filter((code) => !GIVEN.includes(code))).toEqual([]);
    expect(EXPLAINED.length).toBeGreaterThan(20);
  });

  it("knows every code of DeferredTurnsErrorCode", () => {
    const declared = [...read("src/contracts/errors.ts").matchAll(/^ {2}\| "(\w+)"/gm)].map(([, code]) => code);
    expect(declared.filter((code) => !EXPLAINED.includes(code))).toEqual([]);
    expect(declared.length).toBeGreaterThan(15);
  });
});
