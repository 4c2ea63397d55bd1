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

/** A schema and every schema inside it that has a name. */
function named(schema: JsonSchema): readonly JsonSchema[] {
  const inner = [...Object.values(schema.properties ?? {}), ...Object.values(schema.definitions ?? {})];
  return [schema, ...inner.flatMap(named)];
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
    const texts = Object.entries(schema.properties ?? {}).filter(
      ([, field]) => [field.type].flat().includes("string") && field.const === undefined && field.enum === undefined,
    );
    for (const [name, { maxLength, not, pattern }] of texts) {
      expect(maxLength, name).toBeGreaterThan(0);
      expect(not?.$ref ?? pattern, name).toMatch(/^#\/definitions\/unstorableText$|^\^/);
    }
  });

  it("uses only patterns that RE2 and Python know, each with bounds of the length", () => {
    for (const { pattern, minLength, maxLength } of Object.values(schema.properties ?? {})) {
      if (pattern === undefined) continue;
      expect(pattern).not.toMatch(/\(\?|\\[a-zA-Z1-9]/);
      expect(maxLength).toBe(minLength);
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
