import { identifier } from "../../../codegen/ddl/sqlText.ts";
import type { IndexModel } from "../../../codegen/model.ts";
import type { CompileSchema } from "../schema/validators.ts";
import type { ModelChange } from "./modelChange.ts";
import { withModelChange, withoutModelChange } from "./modelEdit.ts";
import { type StoreSide, storeSide } from "./storeSide.ts";
import { type OpeningRefusal, type Trial, type TrialOutcome, TrialStore } from "./trialStore.ts";
import { plainRows, trialsOf } from "./trials.ts";

/** A trial on which the two sides disagree. */
export interface TrialWitness extends Trial {
  readonly by: "database" | "reader";
  readonly refusal: string;
}

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
      this.note(found, change, trial, between);
      if (found.refusedNow.length >= ENOUGH && found.acceptedNow.length >= ENOUGH) break;
    }
    for (const list of Object.values(found)) list.sort((one, other) => lengthOf(one) - lengthOf(other));
    return {
      refusedNow: found.refusedNow[0],
      acceptedNow: found.acceptedNow[0],
      stored: this.storedWitness(change, found.refusedNow, between),
      oldReader: this.oldReaderWitness(change, found.acceptedNow),
      plan: this.planWitness(change),
      tried,
    };
  }

  private note(found: Found, change: ModelChange, trial: Trial, between: Between): void {
    const before = this.oldStore.outcome(change.table, trial);
    const after = this.newStore.outcome(change.table, trial);
    if (before.status === "unusable" || after.status === "unusable" || before.status === after.status) return;
    if (!this.isItsDoing(change, trial, after, between)) return;
    if (after.status === "refused") found.refusedNow.push({ ...trial, by: after.by, refusal: after.refusal });
    if (before.status === "refused") found.acceptedNow.push({ ...trial, by: before.by, refusal: before.refusal });
  }

  /** As with documents: this change alone does it, or all changes but this one do not. */
  private isItsDoing(change: ModelChange, trial: Trial, after: TrialOutcome, between: Between): boolean {
    if (this.options.isOnlyChange) return true;
    const made = between.made?.outcome(change.table, trial);
    if (made?.status === after.status) return true;
    const takenBack = between.takenBack?.outcome(change.table, trial);
    return takenBack !== undefined && takenBack.status !== "unusable" && takenBack.status !== after.status;
  }

  /** Rows of the old side in a store of the old layout, which a program opens that has the change. */
  private storedWitness(
    change: ModelChange,
    refused: readonly Trial[],
    { madeSide = this.options.new }: Between,
  ): StoreWitness | undefined {
    const rows = plainRows(change, this.options.old, change.old);
    for (const trial of [undefined, ...rows, ...refused]) {
      if (trial !== undefined && this.oldStore.outcome(change.table, trial).status !== "accepted") continue;
      const refusal = this.oldStore.refusalOfOpening(this.options.new, change.table, trial);
      if (refusal === undefined) continue;
      const alone = this.oldStore.refusalOfOpening(madeSide, change.table, trial);
      if (alone !== undefined) return { ...alone, trial };
    }
    return undefined;
  }

  /** Rows of the new side in a store of the new layout, which an old program opens. */
  private oldReaderWitness(change: ModelChange, accepted: readonly Trial[]): StoreWitness | undefined {
    const layout = this.newStore.refusalOfOpening(this.options.old, change.table, undefined);
    if (layout !== undefined && this.options.isOnlyChange) return { ...layout, trial: undefined };
    for (const trial of accepted) {
      const refusal = this.newStore.refusalOfReader(this.options.old, change.table, trial);
      if (refusal !== undefined) return { by: "reader", refusal, trial };
    }
    return undefined;
  }

  private planWitness({ table, difference }: ModelChange): PlanWitness | undefined {
    if (difference.kind !== "index") return undefined;
    const index = difference.before ?? difference.after;
    if (index === undefined) return undefined;
    const statement = queryOf(table, index);
    try {
      const [before, after] = [this.oldStore.queryPlan(statement), this.newStore.queryPlan(statement)];
      return before === after ? undefined : { statement, before, after };
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

/** A query that the index is for. */
function queryOf(table: string, { columns, where }: IndexModel): string {
  const conditions = columns.map((column) => `${identifier(column)} = 'a'`);
  return `SELECT 1 FROM ${identifier(table)} WHERE ${[...conditions, ...(where === undefined ? [] : [where])].join(" AND ")}`;
}

function lengthOf({ setup, statement }: Trial): number {
  return [...setup, statement].join("").length;
}
