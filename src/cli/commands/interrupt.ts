import type { Command } from "commander";
import { nonEmpty } from "../argumentText.ts";
import { examplesText } from "../examples.ts";
import { jsonText } from "../output/json.ts";
import { addStoreOptions, existingStore, type StoreOptions } from "../storeOptions.ts";
import type { Terminal } from "../terminal.ts";

interface Options extends StoreOptions {
  readonly reason?: string;
  readonly json?: boolean;
}

/** `deferred-turns interrupt RUN`: asks the Pi process that works on a run to stop it. */
export function addInterrupt(program: Command, terminal: Terminal): void {
  const command = program
    .command("interrupt")
    .summary("ask for the end of a run")
    .description(
      "Asks the Pi process that works on the run to stop it. Its agent learns why in one later turn. " +
        "`/workflow status` in Pi shows the id of the run.",
    )
    .argument("<RUN>", "the id of the run", nonEmpty)
    .option("--reason <TEXT>", "what the agent is told");
  addStoreOptions(command)
    .option("--json", "write JSON")
    .addHelpText(
      "after",
      examplesText([
        { line: "deferred-turns interrupt RUN --reason 'out of budget'", does: "a run of this project" },
        { line: "deferred-turns interrupt RUN --project ../other", does: "a run of another one" },
      ]),
    )
    .action((runId: string, options: Options) => interrupt(runId, options, terminal));
}

async function interrupt(runId: string, options: Options, terminal: Terminal): Promise<void> {
  const path = existingStore(options, terminal);
  const { openControllerStore } = await import("../../store/openControllerStore.ts");
  const { requestInterrupt } = await import("../../store/runs/interruptRequests.ts");
  const store = openControllerStore({ path, now: terminal.now });
  try {
    const reason = options.reason ?? null;
    requestInterrupt(store, runId, reason);
    terminal.write(
      options.json === true
        ? jsonText({ format: "deferred-turns-interrupt.v1", store: path, runId, reason, requested: true })
        : `Asked for the end of run ${runId}.`,
    );
  } finally {
    store.close();
  }
}
