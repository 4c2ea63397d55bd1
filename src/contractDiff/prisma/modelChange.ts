import type { ColumnModel, IndexModel, TableModel } from "../../../codegen/model.ts";

/** What differs between two models of one table. */
export type ModelDifference =
  /** Words and names that only Prisma and the generated code use, and the order of columns. */
  | { readonly kind: "words"; readonly place: string; readonly what: string }
  | { readonly kind: "table"; readonly change: "added" | "removed" }
  | { readonly kind: "column"; readonly change: "added" | "removed"; readonly column: ColumnModel }
  | {
      readonly kind: "columnRule";
      /** Its name in the generator's model: `maxLength`, `nullable`, `immutable`, `primaryKey` … */
      readonly rule: string;
      readonly before: ColumnModel;
      readonly after: ColumnModel;
    }
  | {
      readonly kind: "enumMember";
      readonly change: "added" | "removed";
      readonly member: string | number | boolean;
      readonly before: ColumnModel;
      readonly after: ColumnModel;
    }
  | { readonly kind: "tableRule"; readonly rule: string; readonly before: unknown; readonly after: unknown }
  | { readonly kind: "index"; readonly before: IndexModel | undefined; readonly after: IndexModel | undefined };

/** A difference and the table that it is about. */
export interface ModelChange {
  readonly difference: ModelDifference;
  /** The name of the table in the database. */
  readonly table: string;
  /** The table on either side; undefined where there is none. */
  readonly old: TableModel | undefined;
  readonly new: TableModel | undefined;
}
