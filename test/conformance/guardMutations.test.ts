import Database from "better-sqlite3";
import { beforeAll, describe, expect, it } from "vitest";
import { readSources } from "../../codegen/generate.ts";
import type { DatabaseCase } from "../../src/conformance/corpus.ts";
import { REPOSITORY } from "../codegen/support/repositoryCopy.ts";
import { DATABASE_CASES } from "./support/corpus.ts";
import { EQUIVALENT_DDL_MUTANTS } from "./support/equivalentDdlMutants.ts";
import { type DdlMutant, ddlMutants } from "./support/guardMutants.ts";
import { DDL, GuardedDatabase } from "./support/sqlite.ts";

/** Some seconds on an idle machine. */
const DEADLINE_MS = 300_000;

/** What the generated DDL says to each case. */
const REFUSALS = new Map<string, string | undefined>();

const isAccepted = ({ id }: DatabaseCase): boolean => REFUSALS.get(id) === undefined;

const STATEMENTS = { INSERT: /INSERT|REPLACE/, UPDATE: /UPDATE/, DELETE: /DELETE|REPLACE/ } as const;

/**
 * The cases that can fire a mutant, in the order that shows most mutants by their first cases: those that its guard
 * refuses, those that are named after its subject, those that are accepted, and the others. Rows of a setup are inserted
 * by some accepted case as well.
 */
function likeliest({ sentence = "", event }: DdlMutant): readonly DatabaseCase[] {
  const subject = kebabCase(/(?:_json: "?|\.)(\w+)/.exec(sentence)?.[1] ?? "no subject");
  const order = (each: DatabaseCase): number => {
    if (REFUSALS.get(each.id) === sentence) return 0;
    if (each.id.includes(subject)) return 1;
    return isAccepted(each) ? 2 : 3;
  };
  const fires = DATABASE_CASES.filter(({ sql }) => event === undefined || STATEMENTS[event].test(sql));
  return fires.toSorted((first, second) => order(first) - order(second));
}

function kebabCase(name: string): string {
  return name.replaceAll(/_|(?=[A-Z])/g, "-").toLowerCase();
}

/** The first case that a database with the mutant decides otherwise, or whose setup it refuses. */
function caughtBy(mutant: DdlMutant): DatabaseCase | undefined {
  const database = new GuardedDatabase(mutant.ddl);
  try {
    return likeliest(mutant).find((each) => accepts(database, each) !== isAccepted(each));
  } finally {
    database.close();
  }
}

function accepts(database: GuardedDatabase, each: DatabaseCase): boolean | undefined {
  try {
    return database.refusal(each) === undefined;
  } catch (error) {
    if (error instanceof Database.SqliteError) return undefined;
    throw error;
  }
}

describe("the guards of the database", () => {
  let mutants: readonly DdlMutant[] = [];
  beforeAll(async () => {
    mutants = ddlMutants(await readSources(REPOSITORY));
    const database = new GuardedDatabase(DDL);
    for (const each of DATABASE_CASES) REFUSALS.set(each.id, database.refusal(each));
    database.close();
  });

  it("cannot lose or change a rule without a case that shows it, but for rules that another one repeats", {
    timeout: DEADLINE_MS,
  }, () => {
    const survivors = mutants.filter((mutant) => caughtBy(mutant) === undefined).map(({ name }) => name);
    process.stdout.write(`ddl.sql: ${mutants.length} mutants, ${survivors.length} equivalent\n`);
    expect(survivors.sort()).toEqual([...EQUIVALENT_DDL_MUTANTS].sort());
  });
});
