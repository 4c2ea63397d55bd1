import { existsSync } from "node:fs";
import type { Command } from "commander";
import { openControllerStore } from "../../store/openControllerStore.ts";
import { projectStorePath } from "../../store/projectStorePath.ts";
import { requestInterrupt } from "../../store/runs/interruptRequests.ts";
import { CommandFailure } from "../commandFailure.ts";
import { examplesText } from "../examples.ts";

interface Options {
  readonly reason?: string;
  readonly project?: string;
  readonly store?: string;
}

/** `deferred-turns interrupt RUN`: asks the Pi process that works on a run to stop it. */
export function addInterrupt(program: Command): void {
  program
    .command("interrupt")
    .summary("ask for the end of a run")
    .description(
      "Asks the Pi process that works on the run to stop it. Its agent learns why in one later turn. " +
        "`/workflow status` in Pi shows the id of the run.",
    )
    .argument("<RUN>", "the id of the run")
    .option("--reason <TEXT>", "what the agent is told")
    .option("--project <DIR>", "the project of the run; the current folder when left out")
    .option("--store <FILE>", "the controller store itself")
    .addHelpText(
      "after",
      examplesText([
        { line: "deferred-turns interrupt RUN --reason 'out of budget'", does: "a run of this project" },
        { line: "deferred-turns interrupt RUN --project ../other", does: "a run of another one" },
      ]),
    )
    .action(interrupt);
}

function interrupt(runId: string, options: Options): void {
  const store = openControllerStore({ path: existingStore(options) });
  try {
    requestInterrupt(store, runId, options.reason ?? null);
    console.log(`Asked for the end of run ${runId}.`);
  } finally {
    store.close();
  }
}

function existingStore({ project = process.cwd(), store }: Options): string {
  if (store === undefined && !existsSync(project)) {
    throw new CommandFailure(`There is no folder ${project}; name the project with --project.`);
  }
  const path = store ?? projectStorePath(project);
  if (existsSync(path)) return path;
  throw new CommandFailure(
    `There is no controller store at ${path}: no workflow ran in this project yet, or it is another one.`,
  );
}
