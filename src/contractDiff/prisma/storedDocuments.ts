import type { ColumnModel, TableModel } from "../../../codegen/model.ts";
import { isObject, type JsonObject } from "../json.ts";
import {
  type ChangeReport,
  type Effect,
  type SubjectReport,
  subjectReport,
  verdictOf,
  type Witness,
} from "../report/contractDiff.ts";
import { rowHolding } from "./sampleRows.ts";
import { shownSql, withoutNulls } from "./sqlValue.ts";
import type { StoreSide } from "./storeSide.ts";
import { TrialStore } from "./trialStore.ts";
import type { Trial } from "./trials.ts";

/** The two sides of a store whose columns hold contracts. */
export interface StoreSides {
  readonly old: StoreSide;
  readonly new: StoreSide;
}

/** Reports of contracts, with what their changes do to rows that hold documents of them. */
export function storedDocuments(reports: readonly SubjectReport[], sides: StoreSides): readonly SubjectReport[] {
  const store = new TrialStore(sides.old);
  try {
    return reports.map((report) => {
      const holder = holderOf(report.name, sides.old);
      if (holder === undefined) return report;
      const changes = report.changes.map((change) => withStoredRows(change, { ...holder, sides, store }));
      return subjectReport(report.kind, report.name, changes);
    });
  } finally {
    store.close();
  }
}

/** The column that holds documents of a contract. */
interface Holder {
  readonly table: TableModel;
  readonly column: ColumnModel;
}

interface Stored extends Holder {
  readonly sides: StoreSides;
  /** A store with the old layout. */
  readonly store: TrialStore;
}

function holderOf(contract: string, { sources }: StoreSide): Holder | undefined {
  const typeName = sources.contracts.find(({ name }) => name === contract)?.typeName;
  for (const table of sources.tables) {
    const column = table.columns.find(({ rules }) => rules.holds !== undefined && rules.holds === typeName);
    if (column !== undefined) return { table, column };
  }
  return undefined;
}

function withStoredRows(change: ChangeReport, stored: Stored): ChangeReport {
  if (change.verdict === "noChange") return change;
  const witness = rowWitness(refusedDocument(change), stored);
  const effects = [...change.effects, storedEffect(change, witness, stored)];
  const witnesses = witness === undefined ? change.witnesses : [...change.witnesses, witness];
  return { ...change, effects, witnesses, verdict: verdictOf(effects) };
}

function storedEffect(
  { verdict, witnesses }: ChangeReport,
  witness: StoreWitness | undefined,
  { table, column }: Stored,
): Effect {
  const party = "storedRows";
  const place = `${table.name}.${column.name}`;
  if (witness !== undefined) {
    return {
      party,
      harm: "broken",
      sentence: `New programs cannot read a row that holds such a document in ${place}: ${witness.refusal}`,
    };
  }
  if (witnesses.some((each) => each.kind === "document" && each.textBytes !== undefined)) {
    return { party, harm: "none", sentence: `How long a text may be in ${place} is what @maxBytes of the model says.` };
  }
  if (verdict === "unproven") return { party, harm: "unproven", sentence: `Rows hold such documents in ${place}.` };
  return { party, harm: "none", sentence: `New programs read the documents that are stored in ${place}.` };
}

type StoreWitness = Extract<Witness, { readonly kind: "store" }>;

/** A row of an existing store that holds the document, if such a row can be and new programs do not read it. */
function rowWitness(
  document: JsonObject | undefined,
  { table, column, sides, store }: Stored,
): StoreWitness | undefined {
  if (document === undefined) return undefined;
  const values = rowHolding({ sources: sides.old.sources, table }, column, document);
  const trial: Trial = { setup: [], statement: withoutNulls({ kind: "insert", table: table.name, values }) };
  if (store.outcomeAsShown(trial).status !== "accepted") return undefined;
  const refused = store.refusalOfOpening(sides.new, trial);
  if (refused === undefined) return undefined;
  const rows = [shownSql(trial.statement)];
  return { kind: "store", direction: "refusedNow", rows, refusedBy: refused.by, refusal: refused.refusal };
}

function refusedDocument({ witnesses }: ChangeReport): JsonObject | undefined {
  for (const witness of witnesses) {
    if (witness.kind === "document" && witness.direction === "refusedNow" && isObject(witness.document)) {
      return witness.document;
    }
  }
  return undefined;
}
