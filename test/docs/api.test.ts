import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ts } from "@ts-morph/common";
import { describe, expect, it } from "vitest";
import { membersOf } from "../../scripts/docs/apiPage.ts";
import { apiPages } from "../../scripts/docs/apiPages.ts";
import { docOf, placeOf, publicApis } from "../../scripts/docs/publicApi.ts";
import { REPOSITORY } from "../../scripts/package/tarball.ts";

const apis = publicApis();
const symbols = apis.flatMap(({ symbols: all }) => all);

/** A member that needs no words of its own: its type has them, or it stands for all other names. */
function explainsItself(member: ts.ClassElement | ts.TypeElement): boolean {
  if (ts.isIndexSignatureDeclaration(member) || ts.isConstructorDeclaration(member)) return true;
  const type = ts.isPropertySignature(member) ? member.type : undefined;
  return type !== undefined && ts.isTypeReferenceNode(type) && symbols.some(({ name }) => name === type.getText());
}

describe("what a program can import", () => {
  it("has a comment, and so has each of its members", () => {
    const described = symbols.flatMap(({ declaration }) => [
      declaration,
      ...membersOf(declaration).filter((member) => !explainsItself(member)),
    ]);
    expect(described.filter((node) => docOf(node).text === "").map(placeOf)).toEqual([]);
    expect(described.length).toBeGreaterThan(300);
  });

  it.each(["pi-deferred-turns", "pi-deferred-turns/contracts"])(
    "from %s names no type that it does not export",
    (name) => {
      const named = apis.find(({ entry }) => entry.name === name)?.symbols ?? [];
      expect(named.filter(({ exported }) => !exported).map(({ declaration }) => placeOf(declaration))).toEqual([]);
      expect(named.length).toBeGreaterThan(30);
    },
  );

  it("has the codes of its errors by name where it throws", () => {
    const codes = symbols.find(({ name }) => name === "DeferredTurnsErrorCode")?.declaration.getText() ?? "";
    const thrown = symbols.flatMap(({ declaration }) =>
      [declaration, ...membersOf(declaration)].flatMap((node) => docOf(node).throws),
    );
    expect(thrown.filter((text) => (text.match(/`[A-Z]+_[A-Z_]+`/g) ?? []).length === 0)).toEqual([]);
    const named = thrown.flatMap((text) => text.match(/(?<=`)[A-Z]+_[A-Z_]+(?=`)/g) ?? []);
    expect(named.filter((code) => !codes.includes(`"${code}"`))).toEqual([]);
  });
});

describe("the API reference in docs/api", () => {
  it("is what npm run docs writes", () => {
    const folder = join(REPOSITORY, "docs/api");
    const stored = new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]));
    expect(stored).toEqual(new Map(apiPages(apis)));
  });
});
