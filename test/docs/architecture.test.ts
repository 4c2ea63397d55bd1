import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { REPOSITORY } from "../../scripts/package/tarball.ts";

const read = (path: string): string => readFileSync(join(REPOSITORY, path), "utf8");

/** What stands for a file in the picture: a folder of src/, or a folder of the repository. */
function areaOf(path: string): string {
  const [top = "", folder = ""] = path.split("/");
  return top === "src" ? folder.replace(/\.ts$/, "") : top;
}

/** For each area, those that its files import. */
function importedAreas(): ReadonlyMap<string, ReadonlySet<string>> {
  const imports = new Map<string, Set<string>>();
  for (const file of globSync("{src,codegen,generated}/**/*.ts", { cwd: REPOSITORY })) {
    const from = areaOf(file);
    const targets = imports.get(from) ?? new Set();
    imports.set(from, targets);
    for (const { groups } of read(file).matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*)"(?<path>\.[^"]+)"/g)) {
      const to = areaOf(relative(REPOSITORY, join(REPOSITORY, dirname(file), groups?.["path"] ?? "")));
      if (to !== from) targets.add(to);
    }
  }
  return imports;
}

/** Those imports that no chain of other imports stands for. */
function directImports(imports: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  const reaches = (from: string, to: string): boolean =>
    [...(imports.get(from) ?? [])].some((next) => next === to || reaches(next, to));
  const edges = [...imports].flatMap(([from, targets]) => [...targets].map((to) => ({ from, to, targets })));
  return edges
    .filter(({ to, targets }) => ![...targets].some((other) => other !== to && reaches(other, to)))
    .map(({ from, to }) => `${from} --> ${to}`);
}

describe("the picture in docs/ARCHITECTURE.md", () => {
  const picture = /```mermaid\n(?<lines>[\s\S]*?)```/.exec(read("docs/ARCHITECTURE.md"))?.groups?.["lines"] ?? "";
  const imports = importedAreas();

  it("has an arrow for every import between areas that no other arrows stand for, and no other arrow", () => {
    const arrows = [...picture.matchAll(/^ *(?<arrow>\w+ --> \w+)$/gm)].map(({ groups }) => groups?.["arrow"]);
    expect(arrows.toSorted()).toEqual(directImports(imports).toSorted());
  });

  it("has every area", () => {
    const drawn = [...picture.matchAll(/^ *(?<area>\w+)\["(?<label>[^<]+)</gm)].map(({ groups }) => groups?.["area"]);
    expect(drawn.filter((area) => area !== "sources").toSorted()).toEqual([...imports.keys()].toSorted());
  });

  it("is the only one, and the page is one page", () => {
    expect(read("docs/ARCHITECTURE.md").split("```mermaid")).toHaveLength(2);
    expect(read("docs/ARCHITECTURE.md").split("\n").length).toBeLessThan(120);
  });
});
