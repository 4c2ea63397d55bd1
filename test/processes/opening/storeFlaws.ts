import Database from "better-sqlite3";
import { CONTROLLER_STORE_SCHEMA_ID } from "../../../generated/ddl.ts";
import { openControllerStore } from "../../../src/store/openControllerStore.ts";
import { integrityOf } from "../support/integrity.ts";
import type { Beginning } from "./beginnings.ts";

/** The layout that one process makes of a beginning when nobody disturbs it. */
export function layoutOfLoneStore(beginning: Beginning, path: string): string {
  beginning.make(path);
  openControllerStore({ path }).close();
  return readStore(path).layout;
}

/** What is not as it must be in a store that was opened: whole, of the expected layout, with one schema row and all rows that it had. */
export function flawsOf(path: string, { intents }: Beginning, expectedLayout: string): readonly string[] {
  const found = readStore(path);
  const hasItsId = found.schemaIds.length === 1 && found.schemaIds[0] === CONTROLLER_STORE_SCHEMA_ID;
  return [
    ...integrityOf(path),
    ...(found.layout === expectedLayout ? [] : [`the layout is not complete: ${found.layout}`]),
    ...(hasItsId ? [] : [`the schema ids are: ${found.schemaIds.join()}`]),
    ...(found.intents === intents ? [] : [`there are ${found.intents} intents, and there were ${intents}`]),
  ];
}

interface FoundStore {
  readonly layout: string;
  readonly schemaIds: readonly string[];
  readonly intents: number;
}

function readStore(path: string): FoundStore {
  const database = new Database(path, { fileMustExist: true });
  try {
    const layout = database.prepare("SELECT type, name, sql FROM sqlite_schema ORDER BY type, name").all();
    return {
      layout: JSON.stringify(layout),
      schemaIds: database.prepare<[], string>("SELECT schema_id FROM schema_info").pluck().all(),
      intents: database.prepare<[], number>("SELECT count(*) FROM workflow_turn_intents").pluck().get() ?? -1,
    };
  } finally {
    database.close();
  }
}
