import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { readSessionFile } from "../../../src/pi/sessionFile.ts";
import type { ControllerStore } from "../../../src/store/controllerStore.ts";
import { openControllerStore } from "../../../src/store/openControllerStore.ts";
import type { FakeEntry } from "../../support/fakeSessionLog.ts";
import { bystander } from "./runs.ts";
import { PROCESS_NAMES, type ProcessName, SESSION_ID } from "./smallProcess.ts";

/** A row of `workflow_turn_intents` as it stands in the database. */
export interface IntentRow {
  readonly intent_id: string;
  readonly run_id: string;
  readonly target_session_id: string;
  readonly fallback_facts_json: string;
  readonly requested_at: string;
  readonly eligible_at: string | null;
  readonly resolved_at: string | null;
  readonly resolution: string | null;
  readonly resolution_message_id: string | null;
  readonly delivery_claim_token: string | null;
  readonly delivery_claim_expires_at: number | null;
}

const BEGINNING = Date.parse("2026-08-21T08:17:31.000Z");

const MEMORY_DISK = "/dev/shm";

/** No row may be deleted, but each path through the world begins with an empty store. */
const GUARD_AGAINST_DELETION = "workflow_turn_intents_guard_delete";

/**
 * The disk of the small world: one real database and one real session file, used by one path after the other. The
 * connections are the production store's own, opened once, because opening one takes longer than a whole path.
 */
export class WorldFiles {
  readonly sessionFile: string;
  now = BEGINNING;
  readonly #folder: string;
  readonly #stores = new Map<ProcessName, ControllerStore>();
  readonly #database: Database.Database;
  readonly #select: Database.Statement<[], IntentRow>;
  readonly #clear: () => void;

  constructor() {
    this.#folder = mkdtempSync(join(existsSync(MEMORY_DISK) ? MEMORY_DISK : tmpdir(), "deferred-turns-world-"));
    this.sessionFile = join(this.#folder, "session.jsonl");
    const path = join(this.#folder, "controller.sqlite");
    for (const owner of PROCESS_NAMES) this.#stores.set(owner, openControllerStore({ path, now: () => this.now }));
    this.store("A").ensureWorkflowTurnIntent({ ...bystander(), eligible: true });
    this.#database = new Database(path);
    this.#database.exec(`DROP TRIGGER IF EXISTS "${GUARD_AGAINST_DELETION}"`);
    this.#select = this.#database.prepare("SELECT * FROM workflow_turn_intents ORDER BY intent_id");
    const statements = [
      `DELETE FROM workflow_turn_intents WHERE target_session_id = '${SESSION_ID}'`,
      "DELETE FROM workflow_run_queue",
      "DELETE FROM run_events",
    ].map((sql) => this.#database.prepare(sql));
    this.#clear = this.#database.transaction(() => {
      for (const statement of statements) statement.run();
    });
  }

  store(owner: ProcessName): ControllerStore {
    const store = this.#stores.get(owner);
    if (store === undefined) throw new Error(`No connection was opened for ${owner}.`);
    return store;
  }

  /** What is committed now. */
  rows(): readonly IntentRow[] {
    return this.#select.all();
  }

  /** The session file's entries; empty while there is no file. */
  entries(): readonly FakeEntry[] {
    return readSessionFile(this.sessionFile);
  }

  /** An entry comes into the session file from a process that is not one of the world's. */
  append(entry: FakeEntry): void {
    appendFileSync(this.sessionFile, `${JSON.stringify(entry)}\n`);
  }

  /** All that outlives every process, as one text: two points with the same text are the same to whoever comes after. */
  durableState(): string {
    return JSON.stringify([this.rows(), existsSync(this.sessionFile) ? readFileSync(this.sessionFile, "utf8") : null]);
  }

  /** Whether the database takes a change from a program that is not ours. The change is not kept. */
  accepts(sql: string): boolean {
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      return this.#database.prepare(sql).run().changes > 0;
    } catch {
      return false;
    } finally {
      this.#database.exec("ROLLBACK");
    }
  }

  /** Makes the session new, at the beginning of time. */
  clear(): void {
    this.now = BEGINNING;
    this.#clear();
    rmSync(this.sessionFile, { force: true });
  }

  close(): void {
    for (const store of this.#stores.values()) store.close();
    this.#database.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
