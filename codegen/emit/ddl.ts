import { allIndexes, indexSql, tableSql } from "../ddl/layout.ts";
import { literals } from "../ddl/sqlText.ts";
import { readTriggers } from "../ddl/triggers.ts";
import { readViews } from "../ddl/views.ts";
import { GenerationFailure } from "../failure.ts";
import type { Sources } from "../model.ts";
import { constantCase } from "../names.ts";
import { lineBanner } from "../output/banner.ts";
import { PRISMA_FILE } from "../prisma/storeModel.ts";

/** The layout as values for the store, in the order of creation. */
export function emitDdlTs(sources: Sources): string {
  const tables = sources.tables.map((table) => entry({ name: table.name, table: table.name }, tableSql(table)));
  const indexes = allIndexes(sources).map(({ table, index }) =>
    entry({ name: index.name, table, unique: index.unique }, indexSql(index)),
  );
  const triggers = readTriggers(sources).map(({ name, table, sql }) => entry({ name, table }, sql));
  const views = readViews(sources).map(({ name, table, sql }) => entry({ name, table }, sql));
  return [
    lineBanner(sourceFiles(sources), "//"),
    ...emitStoreIds(sources),
    TYPES,
    list("The tables. A store that has one already keeps it as it is.", "TABLES", "StorePart", tables),
    list("The indexes.", "INDEXES", "StoreIndex", indexes),
    list(TRIGGERS_DOCS, "TRIGGERS", "StorePart", triggers),
    list("Views for people who look at the data; no program reads them.", "VIEWS", "StorePart", views),
  ].join("\n");
}

/** The same layout as one file for programs in other languages. */
export function emitDdlSql(sources: Sources): string {
  const statements = [
    ...sources.tables.map(tableSql),
    ...allIndexes(sources).map(({ index }) => indexSql(index)),
    ...readTriggers(sources).map(({ sql }) => sql),
    ...readViews(sources).map(({ sql }) => sql),
  ];
  return [
    lineBanner(sourceFiles(sources), "--"),
    usage(sources),
    ...statements.map((statement) => `${statement};\n`),
  ].join("\n");
}

const TYPES = `/** A statement that creates one part of the store. */
export interface StorePart {
  readonly name: string;
  /** The table that the part is or belongs to. */
  readonly table: string;
  readonly sql: string;
}

export interface StoreIndex extends StorePart {
  readonly unique: boolean;
}
`;

/** What a person who runs the file must know. */
function usage({ tables }: Sources): string {
  const rows = tables.flatMap(({ name, columns }) => {
    const constants = columns.flatMap(({ value }) => value.constant ?? []);
    return constants.length === columns.length ? [`INSERT INTO ${name} VALUES (${literals(constants)});`] : [];
  });
  const lines = [
    "Creates the tables, indexes, guards and views that a database lacks: sqlite3 controller.sqlite < ddl.sql",
    "It needs SQLite 3.40 or later. In 3.40 the guards work only while trusted_schema is on, as it is by default.",
    ...rows.map((row) => `A new store also needs this row: ${row}`),
  ];
  return lines.map((line) => `-- ${line}\n`).join("");
}

const TRIGGERS_DOCS =
  "The guards. A store keeps the text of a trigger in sqlite_schema as it stands here, without `IF NOT EXISTS `: an outdated one differs.";

function entry(properties: Readonly<Record<string, unknown>>, sql: string): string {
  const lines = Object.entries(properties).map(([key, value]) => `    ${key}: ${JSON.stringify(value)},\n`);
  return `  {\n${lines.join("")}    sql: String.raw\`${raw(sql)}\`,\n  },\n`;
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
