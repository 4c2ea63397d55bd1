import { allIndexes, indexSql, sqlType, tableSql } from "../ddl/layout.ts";
import { readTriggers } from "../ddl/triggers.ts";
import { GenerationFailure } from "../failure.ts";
import type { Sources } from "../model.ts";
import { constantCase } from "../names.ts";
import { lineBanner } from "../output/banner.ts";
import { PRISMA_FILE } from "../prisma/storeModel.ts";

/** The layout as values for the store, in the order of creation. */
export function emitDdlTs(sources: Sources): string {
  const tables = sources.tables.map((table) => {
    const columns = table.columns.map((column) => {
      const { nullable } = column.value;
      const type = JSON.stringify(sqlType(table, column));
      return `      { name: ${JSON.stringify(column.name)}, type: ${type}, nullable: ${nullable}, primaryKey: ${column.primaryKey} },\n`;
    });
    return entry(
      { name: table.name, table: table.name },
      tableSql(table),
      `    columns: [\n${columns.join("")}    ],\n`,
    );
  });
  const indexes = allIndexes(sources).map(({ table, index }) =>
    entry({ name: index.name, table, unique: index.unique }, indexSql(index)),
  );
  const triggers = readTriggers(sources).map(({ name, table, sql }) => entry({ name, table }, sql));
  return [
    lineBanner(sourceFiles(sources), "//"),
    ...emitStoreIds(sources),
    TYPES,
    list("The tables. A store that has one already keeps it as it is.", "TABLES", "StoreTable", tables),
    list("The indexes.", "INDEXES", "StoreIndex", indexes),
    list(TRIGGERS_DOCS, "TRIGGERS", "StoreTrigger", triggers),
  ].join("\n");
}

/** The same layout as one file for programs in other languages. */
export function emitDdlSql(sources: Sources): string {
  const statements = [
    ...sources.tables.map(tableSql),
    ...allIndexes(sources).map(({ index }) => indexSql(index)),
    ...readTriggers(sources).map(({ sql }) => sql),
  ];
  return [lineBanner(sourceFiles(sources), "--"), ...statements.map((statement) => `${statement};\n`)].join("\n");
}

const TYPES = `/** A table and its columns. */
export interface StoreTable {
  readonly name: string;
  readonly table: string;
  readonly columns: readonly StoreColumn[];
  readonly sql: string;
}

/** A column, as \`PRAGMA table_info\` describes it. */
export interface StoreColumn {
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
  readonly primaryKey: boolean;
}

export interface StoreIndex {
  readonly name: string;
  readonly table: string;
  readonly unique: boolean;
  readonly sql: string;
}

export interface StoreTrigger {
  readonly name: string;
  readonly table: string;
  readonly sql: string;
}
`;

const TRIGGERS_DOCS =
  "The guards. A store keeps the text of a trigger in sqlite_schema as it stands here, without `IF NOT EXISTS `: an outdated one differs.";

function entry(properties: Readonly<Record<string, unknown>>, sql: string, more = ""): string {
  const lines = Object.entries(properties).map(([key, value]) => `    ${key}: ${JSON.stringify(value)},\n`);
  return `  {\n${lines.join("")}${more}    sql: String.raw\`${raw(sql)}\`,\n  },\n`;
}

/** Raw template text holds anything but its own delimiters. */
function raw(sql: string): string {
  if (/`|\$\{/.test(sql)) throw new GenerationFailure(`${PRISMA_FILE}: no SQL may contain a backtick or "\${".`);
  return sql;
}

function list(docs: string, name: string, type: string, entries: readonly string[]): string {
  return `/** ${docs} */\nexport const ${name}: readonly ${type}[] = [\n${entries.join("")}];\n`;
}

/** A text column that allows one value names the layout of the store: `pi-workflows.controller-store.v1`. */
function emitStoreIds({ tables }: Sources): readonly string[] {
  return tables.flatMap(({ name, columns }) =>
    columns.flatMap(({ name: column, value }) => {
      if (value.kind !== "text" || value.constant === undefined) return [];
      const subject = String(value.constant).split(".").at(1) ?? name;
      const docs = `/** The only value of \`${name}.${column}\`. */\n`;
      return `${docs}export const ${constantCase(subject)}_${constantCase(column)} = ${JSON.stringify(value.constant)};\n`;
    }),
  );
}

function sourceFiles(sources: Sources): readonly string[] {
  const held = sources.tables.flatMap(({ columns }) => columns.flatMap(({ rules }) => rules.holds ?? []));
  const files = sources.contracts.filter(({ typeName }) => held.includes(typeName)).map(({ file }) => file);
  return [PRISMA_FILE, ...files];
}
