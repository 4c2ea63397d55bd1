import type { TextTraits } from "../reference/documentRules.ts";
import type { Opinion, Verdict } from "./opinions.ts";

/** Who judges a document. */
export type JudgeName =
  | "parser"
  | "parser of bytes"
  | "parser of values"
  | "validator"
  | "scan of the session"
  | "reader of rows"
  | "database"
  | "sqlite3 command";

/** What a judge said, and what the reference expects of it. */
export interface JudgedOpinion {
  readonly judge: JudgeName;
  readonly expected: Verdict;
  readonly said: Opinion;
}

/** A difference from the reference that cannot be helped: the judge cannot see what decides. It accepts; it never refuses. */
export interface AdmittedDifference {
  readonly name: string;
  readonly judges: readonly JudgeName[];
  readonly when: (traits: TextTraits) => boolean;
  readonly reason: string;
}

/** All differences that there may be. One that does not occur in a long run does not belong here. */
export const ADMITTED: readonly AdmittedDifference[] = [
  {
    name: "valuesHaveEachFieldOnce",
    judges: ["validator", "parser of values", "scan of the session"],
    when: ({ hasFieldTwice }) => hasFieldTwice,
    reason: "A parsed value does not tell that a field was given twice; the parser of texts and the database refuse.",
  },
  {
    name: "valuesHaveNoBytes",
    judges: ["validator", "parser of values", "scan of the session"],
    when: ({ isTooLong }) => isTooLong,
    reason: "A parsed value does not tell how long its text was; the parser of texts and the database refuse.",
  },
  {
    name: "valuesHealBrokenText",
    judges: ["validator", "parser of values", "scan of the session"],
    when: ({ isWellFormed }) => !isWellFormed,
    reason:
      "A raw and an escaped half of a surrogate pair parse to a whole one, and what a natural message holds besides its " +
      "intent is nobody's business; the parser of texts refuses a text that UTF-8 cannot hold.",
  },
  {
    name: "loneSurrogatesArriveReplaced",
    judges: ["parser of bytes", "database", "sqlite3 command"],
    when: ({ isWellFormed }) => !isWellFormed,
    reason: "UTF-8 has no half of a surrogate pair: what arrives as bytes has U+FFFD in its place, and may be valid.",
  },
  {
    name: "databaseChecksNoEncoding",
    judges: ["database", "sqlite3 command"],
    when: ({ isUtf8 }) => !isUtf8,
    reason: "SQLite stores the bytes of a TEXT value unchecked, and has no function that would check them.",
  },
  {
    name: "brokenBytesAreReadReplaced",
    judges: ["parser", "parser of values", "validator", "reader of rows"],
    when: ({ isUtf8 }) => !isUtf8,
    reason: "What is read of a TEXT value that is not UTF-8 has U+FFFD in place of the broken bytes, and may be valid.",
  },
];

/** The admitted differences among opinions, and those that are not. */
export interface Comparison {
  readonly admitted: readonly string[];
  readonly differing: readonly JudgedOpinion[];
}

export function compare(opinions: readonly JudgedOpinion[], traits: TextTraits): Comparison {
  const differences = opinions.filter(({ expected, said }) => expected !== said);
  const nameOf = ({ judge, said }: JudgedOpinion): string | undefined =>
    said === "accepted" ? ADMITTED.find(({ judges, when }) => judges.includes(judge) && when(traits))?.name : undefined;
  return {
    admitted: [...new Set(differences.map(nameOf).filter((name) => name !== undefined))],
    differing: differences.filter((difference) => nameOf(difference) === undefined),
  };
}
