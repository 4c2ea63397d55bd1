import { describeColumn } from "../../../codegen/ddl/columnGuards.ts";
import { allIndexes, indexSql, tableSql } from "../../../codegen/ddl/layout.ts";
import { readTriggers } from "../../../codegen/ddl/triggers.ts";
import { readViews } from "../../../codegen/ddl/views.ts";
import { type ColumnModel, contractOf, type Sources, type TableModel } from "../../../codegen/model.ts";
import type { ColumnShape, RowShape } from "../../../codegen/records/rowCodec.ts";
import { designOf, type LayoutParts, type StoreDesign } from "../../store/database/storeDesign.ts";
import type { JsonObject } from "../json.ts";
import type { CompileSchema } from "../schema/validators.ts";

/** What one side of a comparison makes of its sources: the layout that it creates, and how it reads rows. */
export interface StoreSide {
  readonly sources: Sources;
  readonly layout: LayoutParts;
  readonly design: StoreDesign;
  /** How a program of this side reads the rows of a table. */
  readonly shapes: ReadonlyMap<string, RowShape>;
}

/** Generates a side from its sources, with the functions that write generated/. */
export function storeSide(sources: Sources, compile: CompileSchema): StoreSide {
  const layout: LayoutParts = {
    tables: sources.tables.map((table) => ({ name: table.name, table: table.name, sql: tableSql(table) })),
    indexes: allIndexes(sources).map(({ table, index }) => ({ name: index.name, table, sql: indexSql(index) })),
    triggers: readTriggers(sources).map(({ name, table, sql }) => ({ name, table, sql })),
    views: readViews(sources),
  };
  const shapes = sources.tables.map((table) => [table.name, rowShape(sources, table, compile)] as const);
  return { sources, layout, design: designOf(layout), shapes: new Map(shapes) };
}

function rowShape(sources: Sources, table: TableModel, compile: CompileSchema): RowShape {
  const names = (fields: readonly string[]): readonly string[] =>
    table.columns.filter(({ field }) => fields.includes(field)).map(({ name }) => name);
  const { allOrNone, neverBoth } = table.rules;
  return {
    columns: table.columns.map((column) => columnShape({ sources, table, column, compile })),
    groups: [
      ...allOrNone.map((fields) => ({ rule: "allOrNone" as const, columns: names(fields) })),
      ...neverBoth.map((fields) => ({ rule: "neverBoth" as const, columns: names(fields) })),
    ],
  };
}

interface ColumnOfTable {
  readonly sources: Sources;
  readonly table: TableModel;
  readonly column: ColumnModel;
  readonly compile: CompileSchema;
}

function columnShape({ sources, table, column, compile }: ColumnOfTable): ColumnShape {
  const { pattern, ...value } = column.value;
  const { timestamp, maxBytes, mirrors = [] } = column.rules;
  const held = contractOf(sources, column.rules.holds ?? "");
  const mirrored = table.columns.filter(({ field }) => mirrors.includes(field));
  return {
    ...value,
    name: column.name,
    field: column.field,
    ...(pattern === undefined ? {} : { pattern: new RegExp(pattern, "u") }),
    ...(timestamp === undefined ? {} : { timestamp }),
    ...(maxBytes === undefined ? {} : { maxBytes }),
    ...(held === undefined
      ? {}
      : {
          contract: contractCheck(held.schema as unknown as JsonObject, held.file, compile),
          mirrors: mirrored.map(({ field, name }) => ({ field, column: name })),
        }),
    demand: `must be ${describeColumn(column)}.`,
  };
}

function contractCheck(schema: JsonObject, file: string, compile: CompileSchema): NonNullable<ColumnShape["contract"]> {
  const validator = compile(schema, file);
  return (value) => {
    const refusal = validator.refusal(value as Parameters<typeof validator.refusal>[0]);
    return refusal === undefined
      ? []
      : [{ path: "", rule: "contract", bound: file, message: `The value: ${refusal}.` }];
  };
}
