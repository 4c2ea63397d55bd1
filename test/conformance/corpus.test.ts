import { createHash } from "node:crypto";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ConformanceCase } from "../../src/conformance/corpus.ts";
import { rightDecision } from "../../src/conformance/protocol.ts";
import { CORPUS, FILES, grouped, IDENTITY_CASES, PUBLISHED } from "./support/corpus.ts";

/** The rules that the cases of a file are about, with the decisions that are right. */
function decisionsByRule(cases: readonly ConformanceCase[]): ReadonlyMap<string, ReadonlySet<string>> {
  const byRule = grouped(cases, ({ rule }) => rule);
  return new Map([...byRule].map(([rule, about]) => [rule, new Set(about.map(rightDecision))]));
}

/** A part that is null and one that is left out are the same. */
const withoutNull = (_: string, value: unknown): unknown => value ?? undefined;

/** Whether decisions stand on both sides of a rule. */
function isShown(rule: string, decisions: ReadonlySet<string>): boolean {
  if (CORPUS.rules[rule]?.shownBy === "difference") return decisions.size > 1;
  const isRefusal = (decision: string): boolean => decision === "invalid" || decision === "refused";
  const all = [...decisions];
  return all.some(isRefusal) && !all.every(isRefusal);
}

describe("the corpus", () => {
  it("has a file for every contract", () => {
    const contracts = readdirSync(PUBLISHED.schemas).filter((name) => name.endsWith(".schema.json"));
    for (const name of contracts) expect([...FILES.keys()]).toContain(name.slice(0, -".schema.json".length));
  });

  it("names each case once in a file", () => {
    const ids = CORPUS.cases.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) < index)).toEqual([]);
  });

  it("has cases for every rule, and no rule that is not stated", () => {
    const used = new Set(CORPUS.cases.map(({ rule }) => rule));
    expect([...used].sort()).toEqual(Object.keys(CORPUS.rules).sort());
  });

  it.each([...FILES])("shows both sides of every rule that %s is about", (_file, cases) => {
    const halves = [...decisionsByRule(cases)].filter(([rule, decisions]) => !isShown(rule, decisions));
    expect(halves.map(([rule]) => rule)).toEqual([]);
  });

  it("shows for every identity what is digested", () => {
    for (const { digest, digested, id } of IDENTITY_CASES) {
      if (digest === null || digested === undefined) continue;
      expect(digest.split(":")[1], id).toBe(createHash("sha256").update(digested, "utf8").digest("hex"));
    }
    expect(IDENTITY_CASES.filter(({ digested }) => digested !== undefined).length).toBeGreaterThan(50);
  });

  it("gives different parts different ids", () => {
    const byParts = new Map(IDENTITY_CASES.map(({ parts, digest }) => [JSON.stringify(parts, withoutNull), digest]));
    const ids = [...byParts.values()].filter((digest) => digest !== null);
    expect(ids.filter((id, index) => ids.indexOf(id) < index)).toEqual([]);
  });

  it("stays small enough to be published", () => {
    const folder = join(PUBLISHED.schemas, "vectors");
    const bytes = readdirSync(folder).map((name) => statSync(join(folder, name)).size);
    expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThan(450_000);
  });
});
