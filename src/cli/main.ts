// The command `deferred-turns`.
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { openControllerStore } from "../store/openControllerStore.ts";
import { projectStorePath } from "../store/projectStorePath.ts";
import { requestInterrupt } from "../store/runs/interruptRequests.ts";

const USAGE = `Usage: deferred-turns interrupt RUN [--reason TEXT] [--project DIR | --store FILE]

  interrupt  Asks the Pi process that works on the run to stop it. Its agent learns why in one later turn.

  --project  the project of the run; the current folder when left out
  --store    the controller store itself`;

/** Runs the command. Returns the exit status: 0 done, 1 refused, 2 misused. */
export function main(args: readonly string[]): number {
  const parsed = parse(args);
  if (parsed === undefined) {
    console.error(USAGE);
    return 2;
  }
  const { values, positionals } = parsed;
  const [verb, runId] = positionals;
  if (values.help === true) {
    console.log(USAGE);
    return 0;
  }
  if (verb !== "interrupt" || runId === undefined) {
    console.error(USAGE);
    return 2;
  }
  const project = values.project ?? process.cwd();
  if (values.store === undefined && !existsSync(project)) {
    console.error(`There is no folder ${project}; name the project with --project.`);
    return 1;
  }
  const path = values.store ?? projectStorePath(project);
  if (!existsSync(path)) {
    console.error(
      `There is no controller store at ${path}: no workflow ran in this project yet, or it is another one.`,
    );
    return 1;
  }
  const store = openControllerStore({ path });
  try {
    requestInterrupt(store, runId, values.reason ?? null);
    console.log(`Asked for the end of run ${runId}.`);
    return 0;
  } finally {
    store.close();
  }
}

interface Arguments {
  readonly values: {
    readonly help?: boolean | undefined;
    readonly reason?: string | undefined;
    readonly project?: string | undefined;
    readonly store?: string | undefined;
  };
  readonly positionals: readonly string[];
}

/** Undefined for options that are not known. */
function parse(args: readonly string[]): Arguments | undefined {
  try {
    return parseKnown(args);
  } catch {
    return undefined;
  }
}

function parseKnown(args: readonly string[]): Arguments {
  return parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      help: { type: "boolean" },
      reason: { type: "string" },
      project: { type: "string" },
      store: { type: "string" },
    },
  });
}
