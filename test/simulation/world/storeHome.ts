import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { ControllerStore } from "../../../src/store/controllerStore.ts";
import { openControllerStore } from "../../../src/store/openControllerStore.ts";
import { DatabaseView } from "./databaseView.ts";

/** A store's connection on loan to one process. */
export interface StoreLoan {
  readonly store: ControllerStore;
  /** Gives it back, when no call on it is under way. */
  readonly giveBack: () => void;
}

interface Connection {
  readonly store: ControllerStore;
  now: () => number;
}

/**
 * One database with connections that are ready. To open a store takes as long as to play half a schedule, so a few worlds
 * use one database after the other, each with names of its own, and their processes borrow connections.
 */
export class StoreHome {
  readonly folder: string;
  readonly view: DatabaseView;
  readonly #path: string;
  readonly #idle: Connection[] = [];
  readonly #all: Connection[] = [];

  constructor(folder: string, template: string) {
    this.folder = folder;
    this.#path = join(folder, "controller.sqlite");
    mkdirSync(folder);
    copyFileSync(template, this.#path);
    this.view = new DatabaseView(this.#path);
  }

  /** A connection that nobody has, which reads the given clock. It never waits for a lock. */
  lend(now: () => number): StoreLoan {
    const connection = this.#idle.pop() ?? this.#open();
    connection.now = now;
    return { store: connection.store, giveBack: () => void this.#idle.push(connection) };
  }

  close(): void {
    for (const { store } of this.#all) store.close();
    this.view.close();
  }

  #open(): Connection {
    const path = this.#path;
    const connection: Connection = {
      now: () => 0,
      store: openControllerStore({ path, now: () => connection.now(), busyTimeoutMs: 0 }),
    };
    this.#all.push(connection);
    return connection;
  }
}
