import { identifier } from "../../../codegen/ddl/sqlText.ts";
import type { IndexModel } from "../../../codegen/model.ts";
import type { CompileSchema } from "../schema/validators.ts";
import type { ModelChange } from "./modelChange.ts";
import { withModelChange, withoutModelChange } from "./modelEdit.ts";
import { shownSql, withoutNulls } from "./sqlValue.ts";
import { type StoreSide, storeSide } from "./storeSide.ts";
import { type OpeningRefusal, type TrialOutcome, TrialStore } from "./trialStore.ts";
import { plainRows, type Trial, trialsOf } from "./trials.ts";

interface Refusal {
  readonly by: "database" | "reader";
  readonly refusal: string;
}

/** A trial on which the two sides disagree. */
export interface TrialWitness extends Trial, Refusal {}

/** A store, with what stands in it, that a program of the other side cannot use. */
export interface StoreWitness extends OpeningRefusal {
  readonly trial: Trial | undefined;
}

export interface ModelWitnesses {
  /** A statement that old programs could run and that fails now, or that leaves a row which new programs cannot read. */
  readonly refusedNow: TrialWitness | undefined;
  readonly acceptedNow: TrialWitness | undefined;
  /** What keeps a new program from an existing store or from a row in it. */
  readonly stored: StoreWitness | undefined;
  /** What keeps an old program from a new store or from a row in it. */
  readonly oldReader: StoreWitness | undefined;
  readonly plan: PlanWitness | undefined;
  readonly tried: number;
}

export interface PlanWitness {
  readonly statement: string;
  readonly before: string;
  readonly after: string;
}

export interface ModelSearchOptions {
  readonly old: StoreSide;
  readonly new: StoreSide;
  readonly compile: CompileSchema;
  /** Whether the two sides differ in this one change only, so that every disagreement is its doing. */
  readonly isOnlyChange: boolean;
}

/** Sides between the two, and the stores that they make. */
interface Between {
  /** The old side with this one change. */
  readonly made: TrialStore | undefined;
  readonly madeSide: StoreSide | undefined;
  /** The new side without it. */
  readonly takenBack: TrialStore | undefined;
}

/** What both sides make of a trial, and whether the new one accepts it. */
interface Disagreement {
  readonly before: TrialOutcome;
  readonly after: TrialOutcome;
  readonly isAccepted: boolean;
}

type Found = Record<"refusedNow" | "acceptedNow", TrialWitness[]>;

/** Of so many witnesses the shortest is taken. */
const ENOUGH = 10;

/** Looks for statements, rows and stores on which two sides disagree, because of one change at a time. */
export class ModelSearch {
  private readonly options: ModelSearchOptions;
  private readonly oldStore: TrialStore;
  private readonly newStore: TrialStore;

  constructor(options: ModelSearchOptions) {
    this.options = options;
    this.oldStore = new TrialStore(options.old);
    this.newStore = new TrialStore(options.new);
  }

  close(): void {
    this.oldStore.close();
    this.newStore.close();
  }

  find(change: ModelChange): ModelWitnesses {
    const between = this.between(change);
    try {
      return this.findBetween(change, between);
    } finally {
      between.made?.close();
      between.takenBack?.close();
    }
  }

  private findBetween(change: ModelChange, between: Between): ModelWitnesses {
    const found: Found = { refusedNow: [], acceptedNow: [] };
    let tried = 0;
    for (const trial of trialsOf(change, this.options.old, this.options.new)) {
      tried += 1;
      this.note(found, trial, between);
      if (found.refusedNow.length >= ENOUGH && found.acceptedNow.length >= ENOUGH) break;
    }
    for (const list of Object.values(found)) list.sort((one, other) => lengthOf(one) - lengthOf(other));
    return {
      refusedNow: this.shown(found.refusedNow, "refused"),
      acceptedNow: this.shown(found.acceptedNow, "accepted"),
      stored: this.storedWitness(change, found.refusedNow, between),
      oldReader: this.oldReaderWitness(found.acceptedNow, between),
      plan: this.planWitness(change),
      tried,
    };
  }

  private note(found: Found, trial: Trial, between: Between): void {
    const before = this.oldStore.outcome(trial);
    const after = this.newStore.outcome(trial);
    const isAccepted = after.status === "accepted";
    if ((before.status === "accepted") === isAccepted) return;
    const refusal = this.options.isOnlyChange
      ? refusalBetween(before, after)
      : this.refusalAlone(trial, { before, after, isAccepted }, between);
    if (refusal !== undefined) found[isAccepted ? "acceptedNow" : "refusedNow"].push({ ...trial, ...refusal });
  }

  /**
   * Why a trial is refused by this change alone. As with documents, either the old side with the change does it, or the new
   * side without the change does not.
   */
  private refusalAlone(
    trial: Trial,
    { before, after, isAccepted }: Disagreement,
    between: Between,
  ): Refusal | undefined {
    const made = between.made?.outcome(trial);
    const alone = made && refusalBetween(before, made);
    if (alone !== undefined && (made?.status === "accepted") === isAccepted) return alone;
    const takenBack = between.takenBack?.outcome(trial);
    const undone = takenBack && refusalBetween(takenBack, after);
    return undone !== undefined && (takenBack?.status === "accepted") !== isAccepted ? undone : undefined;
  }

  /** The first witness that is one as text, without the columns that are null anyway where it can do without them. */
  private shown(witnesses: readonly TrialWitness[], now: "accepted" | "refused"): TrialWitness | undefined {
    const first = witnesses.find((each) => this.behavesAsShown(each, now));
    if (first === undefined) return undefined;
    const bare = { ...first, setup: first.setup.map(withoutNulls), statement: withoutNulls(first.statement) };
    return this.behavesAsShown(bare, now) ? bare : first;
  }

  /** A bound value and its literal may differ; what is shown must do what it is shown for. */
  private behavesAsShown(trial: Trial, now: "accepted" | "refused"): boolean {
    const before = this.oldStore.outcomeAsShown(trial).status === "accepted";
    const after = this.newStore.outcomeAsShown(trial).status === "accepted";
    return now === "accepted" ? after && !before : before && !after;
  }

  /** Rows of the old side in a store of the old layout, which a program opens that has the change. */
  private storedWitness(
    change: ModelChange,
    refused: readonly Trial[],
    { madeSide = this.options.new }: Between,
  ): StoreWitness | undefined {
    const rows = plainRows(change, this.options.old, change.old);
    for (const trial of [undefined, ...rows, ...refused]) {
      if (trial !== undefined && this.oldStore.outcome(trial).status !== "accepted") continue;
      const refusal = this.oldStore.refusalOfOpening(this.options.new, trial);
      if (refusal === undefined) continue;
      const alone = this.oldStore.refusalOfOpening(madeSide, trial);
      if (alone !== undefined) return { ...alone, trial };
    }
    return undefined;
  }

  /** Rows of the new side in a store of the new layout, which an old program opens. */
  private oldReaderWitness(accepted: readonly Trial[], { takenBack }: Between): StoreWitness | undefined {
    const layout = this.newStore.refusalOfOpening(this.options.old, undefined);
    const isRefusedAnyway = takenBack?.refusalOfOpening(this.options.old, undefined) !== undefined;
    if (layout !== undefined && !isRefusedAnyway) return { ...layout, trial: undefined };
    for (const trial of accepted) {
      const refusal = this.newStore.refusalOfReader(this.options.old, trial);
      if (refusal !== undefined) return { by: "reader", refusal, trial };
    }
    return undefined;
  }

  private planWitness({ table, difference }: ModelChange): PlanWitness | undefined {
    if (difference.kind !== "index") return undefined;
    const index = difference.before ?? difference.after;
    if (index === undefined) return undefined;
    try {
      for (const statement of queriesOf(table, index)) {
        const [before, after] = [this.oldStore.queryPlan(statement), this.newStore.queryPlan(statement)];
        if (before !== after) return { statement, before, after };
      }
      return undefined;
    } catch {
      // A column of the index may be missing on one side; that is another change.
      return undefined;
    }
  }

  private between(change: ModelChange): Between {
    const { old, new: current, isOnlyChange } = this.options;
    if (isOnlyChange) return { made: undefined, madeSide: current, takenBack: undefined };
    const madeSide = this.sideOf(() => withModelChange(old.sources, change));
    const takenBackSide = this.sideOf(() => withoutModelChange(current.sources, change));
    return {
      madeSide,
      made: madeSide && new TrialStore(madeSide),
      takenBack: takenBackSide && new TrialStore(takenBackSide),
    };
  }

  /** Sources between the two may make no layout, such as an index of a column that only the other has. */
  private sideOf(sources: () => StoreSide["sources"]): StoreSide | undefined {
    try {
      return storeSide(sources(), this.options.compile);
    } catch {
      return undefined;
    }
  }
}

/** Why one of two sides refuses what the other accepts; undefined where they agree or one cannot even set it up. */
function refusalBetween(before: TrialOutcome, after: TrialOutcome): Refusal | undefined {
  if (before.status === "unusable" || after.status === "unusable") return undefined;
  if (before.status === "refused" && after.status === "accepted") return { by: before.by, refusal: before.refusal };
  return before.status === "accepted" && after.status === "refused"
    ? { by: after.by, refusal: after.refusal }
    : undefined;
}

/** Queries that the index is for: all its columns are known, or the first ones, and the rest give the order. */
function queriesOf(table: string, { columns, where }: IndexModel): readonly string[] {
  return columns.map((_column, sorted) => {
    const known = columns.slice(0, columns.length - sorted).map((column) => `${identifier(column)} = 'a'`);
    const order = columns.slice(columns.length - sorted).map(identifier);
    const conditions = [...known, ...(where === undefined ? [] : [where])].join(" AND ");
    const query = `SELECT 1 FROM ${identifier(table)} WHERE ${conditions}`;
    return order.length === 0 ? query : `${query} ORDER BY ${order.join(", ")}`;
  });
}

function lengthOf({ setup, statement }: Trial): number {
  return [...setup, statement].map(shownSql).join("").length;
}
