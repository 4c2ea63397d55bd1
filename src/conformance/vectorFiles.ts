import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ContractName } from "../contracts/contractText.ts";
import type { Change, TextParts } from "./notation.ts";
import type { RowDraft } from "./rowSql.ts";

/** What every case says of itself. */
export interface Stated {
  /** Unique in its file. */
  readonly name: string;
  readonly description: string;
  /** The rule of rules.json that the case is about. */
  readonly rule: string;
}

/** A document, and whether it is one of the contract. */
export interface ContractVector extends Stated, Change {
  readonly valid: boolean;
  /** The whole value, where it is not the file's base with a change. */
  readonly document?: unknown;
  readonly text?: TextParts;
  readonly base64?: string;
}

export interface ContractFile {
  readonly kind: "contract";
  readonly contract: ContractName;
  /** A valid document. */
  readonly base: Readonly<Record<string, unknown>>;
  readonly cases: readonly ContractVector[];
}

/** The functions that name things. */
export type Digest = "turnIntentId" | "sourceEventId" | "resolutionMessageId";

/** Parts, and the id that they have; null where they are refused. */
export interface IdentityVector extends Stated, Change {
  readonly digest: string | null;
  /** The text whose SHA-256 the id holds. */
  readonly digested?: TextParts;
  /** The parts as JSON text, where no well-formed JSON can hold them. */
  readonly partsText?: string;
}

export interface IdentityFile {
  readonly kind: "identity";
  readonly function: Digest;
  readonly base: Readonly<Record<string, unknown>>;
  readonly cases: readonly IdentityVector[];
}

/** A statement, and whether a database with the guards accepts it. */
export interface DatabaseVector extends Stated {
  readonly accepted: boolean;
  /** Rows that were there before the guards. */
  readonly older?: readonly RowDraft[];
  /** Rows that are there before the statement. */
  readonly setup?: readonly RowDraft[];
  /** The row to be inserted … */
  readonly insert?: RowDraft;
  /** … and how, if not by INSERT. */
  readonly verb?: string;
  readonly sql?: string;
}

export interface DatabaseFile {
  readonly kind: "database";
  readonly base: Required<RowDraft>;
  readonly cases: readonly DatabaseVector[];
}

/** A rule, and what shows that it is kept. */
export interface Rule {
  readonly sentence: string;
  /** `refusal`: something is accepted and something refused. `difference`: two accepted things have different ids. */
  readonly shownBy: "refusal" | "difference";
}

export interface RulesFile {
  readonly kind: "rules";
  readonly rules: Readonly<Record<string, Rule>>;
}

export type CasesFile = ContractFile | IdentityFile | DatabaseFile;
export type VectorFile = CasesFile | RulesFile;

/** The vector files of a folder by their names without `.json`, in the order of the names. */
export function readVectorFiles(folder: string): ReadonlyMap<string, VectorFile> {
  const names = readdirSync(folder).filter((name) => name.endsWith(".json") && !name.endsWith(".schema.json"));
  return new Map(
    names.sort().map((name) => {
      const file: VectorFile = JSON.parse(readFileSync(join(folder, name), "utf8"));
      return [name.slice(0, -".json".length), file];
    }),
  );
}
