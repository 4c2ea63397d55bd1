import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import type { ControllerStore } from "../store/controllerStore.ts";
import { projectStorePath } from "../store/projectStorePath.ts";
import { nonEmpty } from "./argumentText.ts";
import { CommandFailure } from "./commandFailure.ts";
import type { Terminal } from "./terminal.ts";

/** How a command is told which store it is about. */
export interface StoreOptions {
  readonly project?: string;
  readonly store?: string;
}

/** How long a command waits for the locks of other processes, milliseconds: nobody types meanwhile. */
export const PATIENCE_MS = 5000;

/** Adds the options that name a store. */
export function addStoreOptions(command: Command): Command {
  return command
    .option("--project <DIR>", "the project; the current folder when left out", nonEmpty)
    .option("--store <FILE>", "the controller store itself", nonEmpty);
}

/** The path of the store that the options name, whether it is there or not. */
export function storePath({ project, store }: StoreOptions, { folder, environment }: Terminal): string {
  if (store !== undefined) return resolve(folder, store);
  const path = resolve(folder, project ?? ".");
  if (existsSync(path)) return projectStorePath(path, environment);
  throw new CommandFailure(`There is no folder ${path}; name the project with --project.`);
}

/**
 * The path of the store that the options name.
 *
 * @throws CommandFailure when there is none
 */
export function existingStore(options: StoreOptions, terminal: Terminal): string {
  const path = storePath(options, terminal);
  if (existsSync(path)) return path;
  throw new CommandFailure(
    `There is no controller store at ${path}. A Pi session with workflows makes it when it first needs one; ` +
      "name another project with --project or a file with --store.",
  );
}

/** A store that is open for one command. */
export interface OpenedStore {
  readonly store: ControllerStore;
  readonly path: string;
}

/** Opens the store to read it, which no session notices, and closes it when the work is done. */
export async function readStore<Result>(
  options: StoreOptions,
  terminal: Terminal,
  work: (opened: OpenedStore) => Result | Promise<Result>,
): Promise<Result> {
  const path = existingStore(options, terminal);
  const { openControllerStore } = await import("../store/openControllerStore.ts");
  const store = openControllerStore({ path, readonly: true, busyTimeoutMs: PATIENCE_MS, now: terminal.now });
  try {
    return await work({ store, path });
  } finally {
    store.close();
  }
}
