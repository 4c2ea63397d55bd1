import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterAll, expect } from "vitest";
import { emitDdlSql } from "../../../codegen/emit/ddl.ts";
import type { Sources } from "../../../codegen/model.ts";
import { decodeWorkflowRun, decodeWorkflowTurnIntent } from "../../../generated/records.ts";
import { compareModels } from "../../../src/contractDiff/prisma/compareModels.ts";
import { loadDataModelReader } from "../../../src/contractDiff/prisma/dataModel.ts";
import { readSources } from "../../../src/contractDiff/prisma/readSources.ts";
import { storeSide } from "../../../src/contractDiff/prisma/storeSide.ts";
import type { ChangeReport, Witness } from "../../../src/contractDiff/report/contractDiff.ts";
import { DeferredTurnsError } from "../../../src/contracts/errors.ts";
import { openControllerStore } from "../../../src/store/openControllerStore.ts";
import { REPOSITORY } from "../../codegen/support/repositoryCopy.ts";
import { compile, readSchema } from "./schemas.ts";

/** The model of this repository, which old programs of a comparison have: their code is what is in generated/ and src/. */
export const MODEL = readFileSync(`${REPOSITORY}/prisma/schema.prisma`, "utf8");

const CONTRACTS = ["deferred-turn-facts.v1", "deferred-turn-message.v1", "natural-message-details.v1"] as const;
const SCHEMAS = CONTRACTS.map((name) => ({ name, file: `schemas/${name}.schema.json`, schema: readSchema(name) }));

const readDataModel = await loadDataModelReader();

export const sourcesOf = (model: string): Promise<Sources> => readSources(model, SCHEMAS, readDataModel);

const oldSources = await sourcesOf(MODEL);
const oldSide = storeSide(oldSources, compile);

/** A change of the model's text: what is there, and what stands there after it. */
export type Edit = readonly [before: string, after: string];

export function edited(edits: readonly Edit[]): string {
  return edits.reduce((text, [before, after]) => {
    if (!text.includes(before)) throw new Error(`The model does not contain ${JSON.stringify(before)}.`);
    return text.replace(before, after);
  }, MODEL);
}

/** What a comparison says of edits of the real model; each witness is tried again with SQLite and the product alone. */
export async function judgeModel(...edits: readonly Edit[]): Promise<readonly ChangeReport[]> {
  const newSources = await sourcesOf(edited(edits));
  const pair = { old: oldSide, new: storeSide(newSources, compile), contractsDiffer: false };
  const reports = compareModels(pair, compile).flatMap(({ changes }) => changes);
  const ddl = { old: emitDdlSql(oldSources), new: emitDdlSql(newSources) + schemaInfoOf(newSources) };
  for (const { witnesses } of reports) for (const witness of witnesses) expectToBehave(witness, ddl);
  return reports;
}

interface Ddl {
  readonly old: string;
  readonly new: string;
}

function expectToBehave(witness: Witness, ddl: Ddl): void {
  if (witness.kind === "sql") expectStatement(witness, ddl);
  if (witness.kind === "queryPlan") {
    expect({ before: planOf(ddl.old, witness.statement), after: planOf(ddl.new, witness.statement) }).toEqual({
      before: witness.before,
      after: witness.after,
    });
  }
  if (witness.kind === "store" && witness.direction === "acceptedNow") expectStoreOfNew(witness, ddl.new);
  if (witness.kind === "store" && witness.direction === "refusedNow") expectRowsOfOld(witness, ddl.old);
}

function expectStatement(witness: Extract<Witness, { readonly kind: "sql" }>, ddl: Ddl): void {
  const script = [...witness.setup, witness.statement];
  const before = refusalOf(ddl.old, script);
  const after = refusalOf(ddl.new, script);
  if (witness.refusedBy === "reader") {
    expect([before, after]).toEqual([undefined, undefined]);
    // Of both programs only the old one is at hand: it reads the row, or it is the one that does not.
    expect(isReadByProduct(ddl.old, script)).toBe(witness.direction === "refusedNow");
    return;
  }
  const [refused, accepted] = witness.direction === "refusedNow" ? [after, before] : [before, after];
  expect(accepted).toBeUndefined();
  expect(refused).toBeDefined();
}

/** The product is the old program: it refuses the new store, or cannot read a row of it. */
function expectStoreOfNew({ rows, refusedBy }: Extract<Witness, { readonly kind: "store" }>, ddl: string): void {
  if (refusedBy === "reader") {
    expect(isReadByProduct(ddl, rows)).toBe(false);
    return;
  }
  const path = join(folder, "store.sqlite");
  rmSync(path, { force: true });
  writeFileSync(path, "");
  const database = new Database(path);
  database.exec(ddl + script(rows));
  database.close();
  expect(() => openControllerStore({ path })).toThrow(DeferredTurnsError);
}

/** The rows are such as an old store holds and old programs read. */
function expectRowsOfOld({ rows }: Extract<Witness, { readonly kind: "store" }>, ddl: string): void {
  expect(refusalOf(ddl, rows)).toBeUndefined();
  expect(isReadByProduct(ddl, rows)).toBe(true);
}

function isReadByProduct(ddl: string, rows: readonly string[]): boolean {
  const database = databaseOf(ddl);
  database.exec(script(rows));
  const intents = database.prepare("SELECT * FROM workflow_turn_intents").all().map(decodeWorkflowTurnIntent);
  const runs = database.prepare("SELECT * FROM workflow_run_queue").all().map(decodeWorkflowRun);
  database.close();
  return [...intents, ...runs].every(({ ok }) => ok);
}

function refusalOf(ddl: string, statements: readonly string[]): string | undefined {
  const database = databaseOf(ddl);
  try {
    database.exec(script(statements));
    return undefined;
  } catch (error) {
    return String(error);
  } finally {
    database.close();
  }
}

function planOf(ddl: string, statement: string): string {
  const database = databaseOf(ddl);
  const steps = database.prepare<[], { readonly detail: string }>(`EXPLAIN QUERY PLAN ${statement}`).all();
  database.close();
  return steps.map(({ detail }) => detail).join("; ");
}

/** The row that says which layout a store has. */
function schemaInfoOf({ tables }: Sources): string {
  const columns = tables.find(({ name }) => name === "schema_info")?.columns;
  const id = columns?.find(({ name }) => name === "schema_id")?.value.constant;
  return `INSERT INTO schema_info VALUES (1, '${id}');`;
}

const script = (statements: readonly string[]): string => statements.map((each) => `${each};`).join("\n");

function databaseOf(ddl: string): Database.Database {
  const database = new Database(":memory:");
  database.exec(ddl);
  return database;
}

const folder = mkdtempSync(join(tmpdir(), "deferred-turns-contract-diff-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
