import type { Json } from "../json.ts";

/** What a comparison found, from the mildest to the worst. */
export type Verdict =
  /** Nothing that a reader, a writer or a stored row could notice. */
  | "noChange"
  /** What was valid stays valid; more may be valid now. */
  | "compatible"
  /** The rules differ, but nothing was found on which old and new disagree: a person must look. */
  | "unproven"
  /** Something that was valid is refused now. */
  | "break";

/** Whom a change can harm. */
export type Party =
  /** New programs that read what was written before. */
  | "oldDocuments"
  /** Old programs that write for new readers, or into a new database. */
  | "oldWriters"
  /** Old programs that read what new ones write. */
  | "oldReaders"
  /** Rows of an existing store, which a new program opens and reads. */
  | "storedRows";

export interface Effect {
  readonly party: Party;
  readonly harm: "none" | "broken" | "unproven";
  /** What happens to it, in a sentence. */
  readonly sentence: string;
}

/** What proves a verdict. Each was tried against the old and the new contract, and behaved as it says. */
export type Witness =
  | {
      readonly kind: "document";
      /** `refusedNow`: accepted before the change and refused after it; `acceptedNow`: the other way round. */
      readonly direction: "refusedNow" | "acceptedNow";
      readonly document: Json;
      /** Where only its text tells: how many bytes that has, with spaces before its last character. */
      readonly textBytes?: number;
      /** Why the side that refuses it does so. */
      readonly refusal: string;
    }
  | {
      readonly kind: "sql";
      readonly direction: "refusedNow" | "acceptedNow";
      /** Statements that both databases accept, and that make what the last one needs. */
      readonly setup: readonly string[];
      readonly statement: string;
      /** Who refuses: the database, or the program that reads the row. */
      readonly refusedBy: "database" | "reader";
      readonly refusal: string;
    }
  | {
      /** A store that the other side cannot use: `refusedNow` an old store and a new program, `acceptedNow` the reverse. */
      readonly kind: "store";
      readonly direction: "refusedNow" | "acceptedNow";
      /** The statements that fill it. */
      readonly rows: readonly string[];
      /** What fails: the opening, or the reading of a row. */
      readonly refusedBy: "store" | "reader";
      readonly refusal: string;
    }
  | {
      /** A query whose way to its rows changed. */
      readonly kind: "queryPlan";
      readonly statement: string;
      readonly before: string;
      readonly after: string;
    };

export interface ChangeReport {
  /** The file and the place in it. */
  readonly place: string;
  /** What changed, in a sentence. */
  readonly what: string;
  readonly verdict: Verdict;
  /** One sentence that gives the reason for the verdict. */
  readonly why: string;
  readonly effects: readonly Effect[];
  readonly witnesses: readonly Witness[];
}

/** One contract or table and what changed about it, or the store where it could not be compared as a whole. */
export interface SubjectReport {
  readonly kind: "contract" | "table" | "store";
  /** `deferred-turn-facts.v1`, or `workflow_turn_intents`. */
  readonly name: string;
  readonly verdict: Verdict;
  readonly changes: readonly ChangeReport[];
}

export interface ContractDiff {
  readonly old: string;
  readonly new: string;
  readonly verdict: Verdict;
  readonly subjects: readonly SubjectReport[];
}

const FROM_MILDEST: readonly Verdict[] = ["noChange", "compatible", "unproven", "break"];

/** The worst of several verdicts. */
export function worstOf(verdicts: readonly Verdict[]): Verdict {
  const worst = Math.max(0, ...verdicts.map((verdict) => FROM_MILDEST.indexOf(verdict)));
  return FROM_MILDEST[worst] ?? "noChange";
}

/** What changed about a contract or table, the worst first. */
export function subjectReport(
  kind: SubjectReport["kind"],
  name: string,
  changes: readonly ChangeReport[],
): SubjectReport {
  const severity = ({ verdict }: ChangeReport): number => FROM_MILDEST.indexOf(verdict);
  const sorted = changes.toSorted((one, other) => severity(other) - severity(one));
  return { kind, name, verdict: worstOf(changes.map(({ verdict }) => verdict)), changes: sorted };
}

/** Old documents, old writers and stored rows were promised to stay valid; that old readers follow new writers was not. */
export function verdictOf(effects: readonly Effect[]): Verdict {
  const harmed = (harm: Effect["harm"]): readonly Effect[] => effects.filter((effect) => effect.harm === harm);
  if (harmed("broken").some(({ party }) => party !== "oldReaders")) return "break";
  if (harmed("unproven").length > 0) return "unproven";
  return "compatible";
}
