import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { REPOSITORY } from "../../scripts/package/tarball.ts";
import { flawOf, linksOf } from "./support/links.ts";

const tracked = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "*.md"], {
  cwd: REPOSITORY,
  encoding: "utf8",
});

it("every link from a page of the repository to another place in it leads somewhere", () => {
  const links = tracked
    .trim()
    .split("\n")
    .flatMap((page) => linksOf(REPOSITORY, page));
  expect(links.map((link) => flawOf(REPOSITORY, link)).filter((flaw) => flaw !== undefined)).toEqual([]);
  expect(links.length).toBeGreaterThan(30);
});
