import { readFileSync } from "node:fs";
import { join } from "node:path";
import Ajv from "ajv";
import { describe, expect, it } from "vitest";
import type { ContractCase } from "../../src/conformance/corpus.ts";
import { repeatedField } from "../../src/contracts/repeatedField.ts";
import { CONTRACT_CASES, grouped, PUBLISHED } from "./support/corpus.ts";
import { equivalentSchemaMutants } from "./support/equivalentSchemaMutants.ts";
import { type Schema, type SchemaMutant, schemaMutants } from "./support/schemaMutants.ts";

/** Some seconds on an idle machine. */
const DEADLINE_MS = 300_000;

/** A document that a schema judges: it is JSON in UTF-8, and no field stands twice in it. */
interface Judged {
  readonly asked: ContractCase;
  readonly value: unknown;
  readonly bytes: number;
}

/** Small documents first: most mutants are caught by one of them. */
function judgedBySchema(cases: readonly ContractCase[]): readonly Judged[] {
  const judged = cases.flatMap((asked) => {
    if (!("text" in asked.input)) return [];
    const { text } = asked.input;
    const value = parsed(text);
    if (value === undefined || repeatedField(text) !== undefined) return [];
    return [{ asked, value: value.json, bytes: Buffer.byteLength(text) }];
  });
  return judged.sort((first, second) => first.bytes - second.bytes);
}

function parsed(text: string): { readonly json: unknown } | undefined {
  try {
    return { json: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function validatorOf(schema: Schema): (judged: Judged) => boolean {
  const { $id: _, ...rules } = schema;
  const fast = { inlineRefs: false, code: { optimize: false }, validateSchema: false } as const;
  const ajv = new Ajv.default({ strict: false, logger: false, ownProperties: true, ...fast });
  const validate = ajv.compile(rules);
  const maxBytes = (schema["x-maxBytes"] ?? Number.POSITIVE_INFINITY) as number;
  return ({ value, bytes }) => bytes <= maxBytes && validate(value) === true;
}

/** The first document that a schema judges otherwise than the corpus. */
function caughtBy({ schema }: Pick<SchemaMutant, "schema">, documents: readonly Judged[]): Judged | undefined {
  const isValid = validatorOf(schema);
  return documents.find((document) => verdict(isValid, document) !== document.asked.valid);
}

/** Undefined where a schema refers to itself without an end: it has no verdict. */
function verdict(isValid: (judged: Judged) => boolean, document: Judged): boolean | undefined {
  try {
    return isValid(document);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

const CONTRACTS = [...grouped(CONTRACT_CASES, ({ contract }) => contract)].map(([contract, cases]) => ({
  contract,
  schema: JSON.parse(readFileSync(join(PUBLISHED.schemas, `${contract}.schema.json`), "utf8")) as Schema,
  documents: judgedBySchema(cases),
}));

describe.each(CONTRACTS)("$contract", ({ contract, schema, documents }) => {
  it("is judged by Ajv at run time as the corpus says", () => {
    expect(caughtBy({ schema }, documents)).toBeUndefined();
  });

  it("is a schema of which no rule can be changed without a case that shows it, but for those that change nothing", {
    timeout: DEADLINE_MS,
  }, () => {
    const mutants = schemaMutants(schema);
    const survivors = mutants.filter((mutant) => caughtBy(mutant, documents) === undefined).map(({ name }) => name);
    process.stdout.write(`${contract}: ${mutants.length} mutants, ${survivors.length} equivalent\n`);
    expect(survivors.sort()).toEqual([...equivalentSchemaMutants(contract)].sort());
  });
});
