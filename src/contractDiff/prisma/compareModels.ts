import type { IndexModel } from "../../../codegen/model.ts";
import {
  type ChangeReport,
  type Effect,
  type SubjectReport,
  subjectReport,
  verdictOf,
  type Witness,
} from "../report/contractDiff.ts";
import type { CompileSchema } from "../schema/validators.ts";
import type { ModelChange } from "./modelChange.ts";
import { modelChanges } from "./modelChanges.ts";
import { ModelSearch, type ModelWitnesses, type StoreWitness, type TrialWitness } from "./modelWitnesses.ts";
import { likelyColumnRenames, modelChangeSentence, placeOfModelChange } from "./modelWords.ts";
import { shownSql } from "./sqlValue.ts";
import type { StoreSide } from "./storeSide.ts";

/** Two sides of one store. */
export interface StorePair {
  readonly old: StoreSide;
  readonly new: StoreSide;
  /** Whether a contract changed as well, so that not every disagreement is the model's doing. */
  readonly contractsDiffer: boolean;
}

/** What each change of the model does, table by table, proven in databases with the old and the new layout. */
export function compareModels(pair: StorePair, compile: CompileSchema): readonly SubjectReport[] {
  const changes = modelChanges(pair.old.sources, pair.new.sources);
  const counted = changes.filter(({ difference }) => difference.kind !== "words").length;
  const isOnlyChange = counted === 1 && !pair.contractsDiffer;
  const search = new ModelSearch({ old: pair.old, new: pair.new, compile, isOnlyChange });
  try {
    const renames = likelyColumnRenames(changes);
    const reports = changes.map((change) => {
      const report = reportOf(change, search);
      const rename = renames.get(change);
      return {
        table: change.table,
        report: rename === undefined ? report : { ...report, why: `${report.why} ${rename}` },
      };
    });
    return byTable(reports);
  } finally {
    search.close();
  }
}

function byTable(
  reports: readonly { readonly table: string; readonly report: ChangeReport }[],
): readonly SubjectReport[] {
  const names = [...new Set(reports.map(({ table }) => table))];
  return names.map((name) => {
    const changes = reports.filter(({ table }) => table === name).map(({ report }) => report);
    return subjectReport("table", name, changes);
  });
}

function reportOf(change: ModelChange, search: ModelSearch): ChangeReport {
  const place = placeOfModelChange(change);
  const what = modelChangeSentence(change);
  if (change.difference.kind === "words") {
    const why = "The database and its rows do not know of it.";
    return { place, what, verdict: "noChange", why, effects: [], witnesses: [] };
  }
  const found = search.find(change);
  const witnesses = witnessesOf(found);
  const isDecided = witnesses.some(({ kind }) => kind !== "queryPlan") || admitsTheSame(change);
  const effects = isDecided ? effectsOf(found) : unproven(found);
  return { place, what, verdict: verdictOf(effects), why: whyOf(found, isDecided), effects, witnesses };
}

/** Whether a change is of an index that decides how rows are found, and not which there may be. */
function admitsTheSame({ difference }: ModelChange): boolean {
  return difference.kind === "index" && demandOf(difference.before) === demandOf(difference.after);
}

/** What an index demands of rows; the order of its columns does not matter to that. */
function demandOf(index: IndexModel | undefined): string {
  return index?.unique === true ? JSON.stringify([index.columns.toSorted(), index.where]) : "nothing";
}

function effectsOf(found: ModelWitnesses): readonly Effect[] {
  return [storedRows(found), oldWriters(found), oldReaders(found)];
}

function storedRows({ stored }: ModelWitnesses): Effect {
  const party = "storedRows";
  if (stored === undefined)
    return { party, harm: "none", sentence: "New programs open existing stores and read their rows." };
  if (stored.by === "store")
    return { party, harm: "broken", sentence: `New programs refuse an existing store: ${stored.refusal}.` };
  return { party, harm: "broken", sentence: `New programs cannot read a row that is stored: ${stored.refusal}` };
}

function oldWriters({ refusedNow, tried }: ModelWitnesses): Effect {
  const party = "oldWriters";
  if (refusedNow === undefined) {
    return {
      party,
      harm: "none",
      sentence: `None of ${tried} statements that were tried worked before and fails now.`,
    };
  }
  const who =
    refusedNow.by === "database"
      ? "The database refuses what old programs write"
      : "New programs cannot read what old ones write";
  return { party, harm: "broken", sentence: `${who}: ${ended(refusedNow.refusal)}` };
}

function oldReaders({ oldReader, acceptedNow }: ModelWitnesses): Effect {
  const party = "oldReaders";
  if (oldReader?.by === "store")
    return { party, harm: "broken", sentence: `Old programs refuse a new store: ${ended(oldReader.refusal)}` };
  if (oldReader !== undefined)
    return { party, harm: "broken", sentence: `Old programs cannot read a new row: ${ended(oldReader.refusal)}` };
  const more = "Old programs read the rows, of which their own database would have refused some.";
  return { party, harm: "none", sentence: acceptedNow === undefined ? "Old programs read the rows as before." : more };
}

function unproven({ tried }: ModelWitnesses): readonly Effect[] {
  const sentence = `Both databases agree on all of ${tried} statements that were tried, which proves nothing.`;
  return (["storedRows", "oldWriters", "oldReaders"] as const).map((party) => ({ party, harm: "unproven", sentence }));
}

function whyOf(
  { refusedNow, acceptedNow, stored, oldReader, plan, tried }: ModelWitnesses,
  isDecided: boolean,
): string {
  if (stored !== undefined) return `What is stored is refused now: ${ended(stored.refusal)}`;
  if (refusedNow !== undefined) return `What old programs write is refused now: ${ended(refusedNow.refusal)}`;
  if (acceptedNow !== undefined) return `More is accepted now; before: ${ended(acceptedNow.refusal)}`;
  if (oldReader !== undefined) return `Old programs refuse what is new: ${ended(oldReader.refusal)}`;
  if (isDecided && plan !== undefined) return "The same rows are found in another way: faster or slower, not wrong.";
  if (isDecided) return "The same rows are admitted and found; no query that was tried finds them in another way.";
  return `Look at it: both databases agree on all of ${tried} statements that were tried, which proves nothing.`;
}

function witnessesOf({ refusedNow, acceptedNow, stored, oldReader, plan }: ModelWitnesses): readonly Witness[] {
  return [
    ...statementWitness("refusedNow", refusedNow),
    ...statementWitness("acceptedNow", acceptedNow),
    ...storeWitness("refusedNow", stored),
    ...storeWitness("acceptedNow", oldReader),
    ...(plan === undefined ? [] : [{ kind: "queryPlan" as const, ...plan }]),
  ];
}

function statementWitness(
  direction: "refusedNow" | "acceptedNow",
  witness: TrialWitness | undefined,
): readonly Witness[] {
  if (witness === undefined) return [];
  const { setup, statement, by, refusal } = witness;
  return [
    { kind: "sql", direction, setup: setup.map(shownSql), statement: shownSql(statement), refusedBy: by, refusal },
  ];
}

function storeWitness(direction: "refusedNow" | "acceptedNow", witness: StoreWitness | undefined): readonly Witness[] {
  if (witness === undefined) return [];
  const { trial, refusal, by } = witness;
  const rows = trial === undefined ? [] : [...trial.setup, trial.statement].map(shownSql);
  return [{ kind: "store", direction, rows, refusedBy: by, refusal }];
}

function ended(clause: string): string {
  return clause.endsWith(".") ? clause : `${clause}.`;
}
