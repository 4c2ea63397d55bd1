import { setTimeout as wait } from "node:timers/promises";
import { type Command, InvalidArgumentError } from "commander";
import type { WorkflowTurnIntent } from "../../../generated/records.ts";
import { formatTimestamp } from "../../contracts/timestamp.ts";
import type { ControllerStore } from "../../store/controllerStore.ts";
import type { TurnIntentFollower } from "../../store/intents/followTurnIntents.ts";
import { examplesText } from "../examples.ts";
import { intentJson, jsonLine } from "../output/json.ts";
import { painted, printable, shortId, stepOf } from "../output/words.ts";
import { addStoreOptions, readStore, type StoreOptions } from "../storeOptions.ts";
import type { Terminal } from "../terminal.ts";
import { type IntentChange, intentChanges } from "../watch/intentChanges.ts";

interface Options extends StoreOptions {
  readonly interval: number;
  readonly json?: boolean;
}

/** `deferred-turns watch`: follows the intents of a project. */
export function addWatch(program: Command, terminal: Terminal): void {
  const command = program
    .command("watch")
    .summary("follow what becomes of turn intents")
    .description(
      "Writes one line for each pending turn intent, then one for each change, until Ctrl-C: created, eligible, claimed, " +
        "renewed, released, toldAnew (its facts changed), resolved. The store is only read, and only when something was " +
        "written to it; what came and went between two looks is not told.",
    )
    .option("--interval <SECONDS>", "how often to look, 0.01 to 3600", seconds, 0.5);
  addStoreOptions(command)
    .option("--json", "write one JSON object a line")
    .addHelpText(
      "after",
      examplesText([
        { line: "deferred-turns watch", does: "this project" },
        { line: "deferred-turns watch --json | jq -r 'select(.change == \"resolved\").intent.runId'", does: "a pipe" },
      ]),
    )
    .addHelpText("after", "\nExit status: 0 when Ctrl-C ended it.")
    .action((options: Options) => watch(options, terminal));
}

async function watch(options: Options, terminal: Terminal): Promise<void> {
  const signal = terminal.interruption();
  await readStore(options, terminal, async ({ store }) => {
    const watched = new WatchedStore(store);
    while (!signal.aborted) {
      for (const change of watched.changes()) terminal.write(lineOf(change, options, terminal));
      await wait(options.interval * 1000, undefined, { signal }).catch(() => undefined);
    }
  });
}

/** The intents of a store as they were at the last look. */
class WatchedStore {
  readonly #store: ControllerStore;
  readonly #known = new Map<string, WorkflowTurnIntent>();
  #follower: TurnIntentFollower;
  #isFirstLook = true;

  constructor(store: ControllerStore) {
    this.#store = store;
    this.#follower = store.followWorkflowTurnIntents();
  }

  changes(): readonly IntentChange[] {
    if (this.#store.checkFile() === "replaced") this.#beginAnew();
    const changes = (this.#follower.next() ?? []).flatMap((intent) => this.#changesOf(intent));
    this.#isFirstLook = false;
    return changes;
  }

  #changesOf(intent: WorkflowTurnIntent): readonly IntentChange[] {
    const before = this.#known.get(intent.intentId);
    // A resolved row stays as it is: nothing is left to be told of it.
    if (intent.resolvedAt === null) this.#known.set(intent.intentId, intent);
    else this.#known.delete(intent.intentId);
    return this.#isFirstLook ? [{ kind: "pending", intent }] : intentChanges(before, intent);
  }

  #beginAnew(): void {
    this.#store.reopen();
    this.#follower = this.#store.followWorkflowTurnIntents();
    this.#known.clear();
    this.#isFirstLook = true;
  }
}

function lineOf({ kind, intent }: IntentChange, { json }: Options, terminal: Terminal): string {
  const now = terminal.now();
  const at = formatTimestamp(now);
  if (json === true) {
    return jsonLine({ format: "deferred-turns-watch.v1", at, change: kind, intent: intentJson(intent, now) });
  }
  const how = kind === "resolved" ? [`by ${intent.resolution}`] : [];
  const words = [
    painted("dim", at, terminal),
    kind.padEnd("eligible".length),
    shortId(intent.intentId),
    intent.cause,
    `run ${printable(intent.runId)}`,
    `step ${stepOf(intent)}`,
    ...how,
  ];
  return words.join("  ");
}

function seconds(text: string): number {
  const value = Number(text);
  if (value >= 0.01 && value <= 3600) return value;
  throw new InvalidArgumentError("Give a number of seconds from 0.01 to 3600.");
}
