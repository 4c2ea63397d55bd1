import { fileURLToPath } from "node:url";
import {
  type ContractCase,
  type DatabaseCase,
  type IdentityCase,
  publishedFiles,
  readCorpus,
} from "../../../src/conformance/corpus.ts";

export const PUBLISHED = publishedFiles(fileURLToPath(new URL("../../..", import.meta.url)));

export const CORPUS = readCorpus(PUBLISHED);

export const CONTRACT_CASES = CORPUS.cases.filter((each): each is ContractCase => each.kind === "contract");
export const IDENTITY_CASES = CORPUS.cases.filter((each): each is IdentityCase => each.kind === "identity");
export const DATABASE_CASES = CORPUS.cases.filter((each): each is DatabaseCase => each.kind === "database");

/** The cases of each file. */
export const FILES = grouped(CORPUS.cases, ({ id }) => id.slice(0, id.indexOf("/")));

/** Items by their keys, in the order in which they come. */
export function grouped<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}
