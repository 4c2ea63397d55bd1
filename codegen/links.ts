import { type ColumnModel, type Contract, contractOf, type Sources } from "./model.ts";

/** A field of a contract that carries the value of a column. */
export interface LinkedField {
  readonly contract: Contract;
  readonly fieldName: string;
  readonly column: ColumnModel;
}

/** Every field that an annotation ties to a column: by `@sameAs`, or by `@mirrors` of a column that holds the contract. */
export function linkedFields(sources: Sources): readonly LinkedField[] {
  return sources.tables.flatMap(({ columns }) =>
    columns.flatMap((column) => {
      const same = (column.rules.sameAs ?? []).map((target) => ({ target, column }));
      const mirrored = columns.flatMap(({ rules }) =>
        rules.mirrors?.includes(column.field) === true ? [{ target: `${rules.holds}.${column.field}`, column }] : [],
      );
      return [...same, ...mirrored].flatMap((link) => resolve(sources, link.target, link.column));
    }),
  );
}

function resolve(sources: Sources, target: string, column: ColumnModel): readonly LinkedField[] {
  const [typeName = "", fieldName = ""] = target.split(".");
  const contract = contractOf(sources, typeName);
  return contract === undefined ? [] : [{ contract, fieldName, column }];
}
