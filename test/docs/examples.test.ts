import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { REPOSITORY } from "../../scripts/package/tarball.ts";

const read = (path: string): string => readFileSync(join(REPOSITORY, path), "utf8");

/** An example as a user has it: it imports the package by its name. */
const example = (path: string): string => read(path).replaceAll('"../src/index.ts"', '"pi-deferred-turns"');

/** The TypeScript on a page. */
function blocks(page: string): readonly string[] {
  return [...read(page).matchAll(/^```ts\n(?<code>[\s\S]*?)^```$/gm)].map(({ groups }) => groups?.["code"] ?? "");
}

/** A cut-out is indented less on its page than in its file. */
const withoutIndent = (code: string): string => code.replace(/^ +/gm, "");

describe("the code of a guide is code that the tests run", () => {
  it("the extension is examples/one-successor.ts, which test/live/ownExtension.test.ts plays on real Pi", () => {
    expect(blocks("docs/guide-extension.md")).toEqual([example("examples/one-successor.ts")]);
    expect(read("test/live/ownExtension.test.ts")).toContain("examples/one-successor.ts");
  });

  it("the host is cut out of examples/other-host.ts, which test/docs/otherHost.test.ts plays", () => {
    const file = withoutIndent(example("examples/other-host.ts"));
    const shown = blocks("docs/guide-other-host.md");
    expect(shown.filter((code) => !file.includes(withoutIndent(code)))).toEqual([]);
    expect(shown).toHaveLength(3);
  });
});
