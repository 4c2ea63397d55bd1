import { readdirSync } from "node:fs";
import type { Row } from "./row.ts";

const ROWS = new URL("../rows/", import.meta.url);

/** The names of all rows, which are those of their files. A row of rows/peers/ needs what only bench/ installs. */
export function rowNames(): readonly string[] {
  return [...rowFiles().keys()].sort();
}

/** Loads a row. */
export async function loadRow(name: string): Promise<Row> {
  const file = rowFiles().get(name);
  if (file === undefined) throw new Error(`There is no row ${name}; the rows are ${rowNames().join(", ")}.`);
  const { row } = (await import(file.href)) as { readonly row: Row };
  return row;
}

function rowFiles(): ReadonlyMap<string, URL> {
  const files = ["./", "peers/"].flatMap((folder) => {
    const url = new URL(folder, ROWS);
    const names = readdirSync(url).filter((name) => name.endsWith(".ts"));
    return names.map((name) => [name.replace(/\.ts$/, ""), new URL(name, url)] as const);
  });
  return new Map(files);
}
