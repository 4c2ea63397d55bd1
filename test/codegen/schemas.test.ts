import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../../codegen/model.ts";
import { REPOSITORY } from "./support/repositoryCopy.ts";

const SCHEMAS = readdirSync(join(REPOSITORY, "schemas"))
  .filter((name) => name.endsWith(".schema.json"))
  .map((name): { readonly name: string; readonly schema: JsonSchema } => ({
    name,
    schema: JSON.parse(readFileSync(join(REPOSITORY, "schemas", name), "utf8")),
  }));

/** A schema and every schema inside it that has a name. A reference has the name of its definition. */
function named(schema: JsonSchema): readonly JsonSchema[] {
  const items = schema.items === undefined ? [] : [schema.items];
  const inner = [...Object.values(schema.properties ?? {}), ...Object.values(schema.definitions ?? {}), ...items];
  return [schema, ...inner.filter(({ $ref }) => $ref === undefined).flatMap(named)];
}

/** The schemas of texts, by their titles; those that tell what a text must not be are none. */
function texts(schema: JsonSchema): readonly JsonSchema[] {
  const names = Object.values(schema.definitions ?? {});
  return named(schema).filter((each) => [each.type].flat().includes("string") && !names.includes(each));
}

describe.each(SCHEMAS)("schemas/$name", ({ schema }) => {
  it("is self-contained draft-07 with an id and an example", () => {
    expect(schema).toMatchObject({ $schema: "http://json-schema.org/draft-07/schema#", $id: expect.any(String) });
    expect(schema.examples?.length).toBeGreaterThan(0);
    const references = JSON.stringify(schema).matchAll(/"\$ref":"([^"]*)"/g);
    for (const [, target] of references) expect(target).toMatch(/^#\/definitions\//);
  });

  it("gives a title and a description to the contract and to every field", () => {
    for (const each of named(schema)) {
      expect(each.title).toMatch(/\S/);
      expect(each.description).toMatch(/\S/);
    }
  });

  it("bounds every text, and lets none hold what cannot be stored", () => {
    const free = texts(schema).filter((text) => text.const === undefined && text.enum === undefined);
    for (const { title, maxLength, not, pattern } of free) {
      expect(maxLength, title).toBeGreaterThan(0);
      expect(not?.$ref ?? pattern, title).toMatch(/^#\/definitions\/un(storable|namable)Text$|^\^/);
    }
  });

  it("uses only patterns that RE2 and Python know, and holds line breaks at the end off by other means", () => {
    for (const { title, pattern, minLength, maxLength, not } of texts(schema)) {
      if (pattern === undefined) continue;
      expect(pattern, title).not.toMatch(/\(\?|\\[a-zA-Z1-9]/);
      if (pattern.endsWith("$") && not === undefined) expect(maxLength, title).toBe(minLength);
    }
  });
});

describe("schemas/", () => {
  it("mean the same by text that cannot be stored", () => {
    const meanings = SCHEMAS.flatMap(({ schema }) => schema.definitions?.["unstorableText"] ?? []);
    expect(meanings.length).toBeGreaterThan(1);
    for (const meaning of meanings) expect(meaning).toEqual(meanings[0]);
  });
});
