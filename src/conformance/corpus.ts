import { join } from "node:path";
import type { ContractName } from "../contracts/contractText.ts";
import { tableSql } from "./ddlText.ts";
import { changed, joined, writtenOut } from "./notation.ts";
import { insertSql } from "./rowSql.ts";
import type {
  CasesFile,
  ContractFile,
  ContractVector,
  DatabaseFile,
  DatabaseVector,
  Digest,
  IdentityFile,
  IdentityVector,
  RulesFile,
  Stated,
} from "./vectorFiles.ts";
import { readVectorFiles } from "./vectorFiles.ts";

/** What every case of the corpus has. */
interface CaseBase extends Stated {
  /** The file and the name: unique in the corpus, such as `deferred-turn-facts.v1/reason-too-long`. */
  readonly id: string;
}

/** A document as its text, or as the bytes of a text in base64. */
export type DocumentInput = { readonly text: string } | { readonly base64: string };

export interface ContractCase extends CaseBase {
  readonly kind: "contract";
  readonly contract: ContractName;
  readonly input: DocumentInput;
  readonly valid: boolean;
}

export interface IdentityCase extends CaseBase {
  readonly kind: "identity";
  readonly function: Digest;
  readonly parts: Readonly<Record<string, unknown>>;
  /** The id; null where the parts are refused. */
  readonly digest: string | null;
  /** The text that is digested, where the id holds a digest. */
  readonly digested: string | undefined;
}

export interface DatabaseCase extends CaseBase {
  readonly kind: "database";
  /** Runs before the DDL; may be empty. */
  readonly before: string;
  /** Runs after the DDL, and is accepted; may be empty. */
  readonly setup: string;
  readonly sql: string;
  readonly accepted: boolean;
}

export type ConformanceCase = ContractCase | IdentityCase | DatabaseCase;

/** The published files that a corpus is read from. */
export interface PublishedFiles {
  readonly schemas: string;
  readonly ddl: string;
}

/** The published files below the root of the package. */
export function publishedFiles(packageRoot: string): PublishedFiles {
  return { schemas: join(packageRoot, "schemas"), ddl: join(packageRoot, "generated", "ddl.sql") };
}

/** Every case, and the rules that they are about. */
export interface Corpus {
  readonly rules: RulesFile["rules"];
  readonly cases: readonly ConformanceCase[];
}

/** Reads the corpus that is published with the schemas. */
export function readCorpus({ schemas, ddl }: PublishedFiles): Corpus {
  const bareTable = tableSql(ddl, "workflow_turn_intents");
  const rules: Record<string, RulesFile["rules"][string]> = {};
  const cases: ConformanceCase[] = [];
  for (const [name, file] of readVectorFiles(join(schemas, "vectors"))) {
    if (file.kind === "rules") Object.assign(rules, file.rules);
    else cases.push(...casesOf(name, file, bareTable));
  }
  return { rules, cases };
}

function casesOf(file: string, content: CasesFile, bareTable: string): readonly ConformanceCase[] {
  switch (content.kind) {
    case "contract":
      return content.cases.map((vector) => contractCase(file, content, vector));
    case "identity":
      return content.cases.map((vector) => identityCase(file, content, vector));
    case "database":
      return content.cases.map((vector) => databaseCase(file, content, vector, bareTable));
  }
}

function stated(file: string, { name, description, rule }: Stated): CaseBase {
  return { id: `${file}/${name}`, name, description, rule };
}

function contractCase(file: string, { contract, base }: ContractFile, vector: ContractVector): ContractCase {
  const { valid } = vector;
  return { ...stated(file, vector), kind: "contract", contract, input: inputOf(base, vector), valid };
}

function inputOf(base: Readonly<Record<string, unknown>>, vector: ContractVector): DocumentInput {
  if (vector.base64 !== undefined) return { base64: vector.base64 };
  if (vector.text !== undefined) return { text: joined(vector.text) };
  return { text: JSON.stringify("document" in vector ? writtenOut(vector.document) : changed(base, vector)) };
}

function identityCase(file: string, content: IdentityFile, vector: IdentityVector): IdentityCase {
  const { digest, digested, partsText } = vector;
  return {
    ...stated(file, vector),
    kind: "identity",
    function: content.function,
    parts: partsText === undefined ? changed(content.base, vector) : JSON.parse(partsText),
    digest,
    digested: digested === undefined ? undefined : joined(digested),
  };
}

function databaseCase(file: string, { base }: DatabaseFile, vector: DatabaseVector, bareTable: string): DatabaseCase {
  const { older = [], setup = [], insert, verb, sql, accepted } = vector;
  const rows = (drafts: typeof setup): string => drafts.map((draft) => insertSql(base, draft)).join("\n");
  return {
    ...stated(file, vector),
    kind: "database",
    before: older.length === 0 ? "" : `${bareTable}\n${rows(older)}`,
    setup: rows(setup),
    sql: insert === undefined ? (sql ?? "") : insertSql(base, insert, verb),
    accepted,
  };
}
