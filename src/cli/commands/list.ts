import { type Command, InvalidArgumentError, Option } from "commander";
import type { WorkflowTurnIntent } from "../../../generated/records.ts";
import { parseTimestamp } from "../../contracts/timestamp.ts";
import {
  type ListTurnIntents,
  TURN_INTENT_STATES,
  type TurnIntentPage,
  type TurnIntentState,
  type UnreadableTurnIntent,
} from "../../store/intents/listTurnIntents.ts";
import { LIMIT_MAX } from "../../store/storeArguments.ts";
import { nonEmpty } from "../argumentText.ts";
import { examplesText } from "../examples.ts";
import { stateOf } from "../output/intentState.ts";
import { intentJson, jsonText } from "../output/json.ts";
import { tableText } from "../output/table.ts";
import { ago, painted, plural, printable, STATE_STYLES, shortId, stepOf } from "../output/words.ts";
import { addStoreOptions, readStore, type StoreOptions } from "../storeOptions.ts";
import type { Terminal } from "../terminal.ts";

interface Options extends StoreOptions {
  readonly all?: boolean;
  readonly state: TurnIntentState;
  readonly run?: string;
  readonly session?: string;
  readonly limit: number;
  readonly after?: string;
  readonly json?: boolean;
}

/** `deferred-turns list`: the turn intents of a project. */
export function addList(program: Command, terminal: Terminal): void {
  const command = program
    .command("list")
    .summary("list turn intents")
    .description(
      "Lists the turn intents of a project: the later turns that are owed to its sessions, and with --all those that were " +
        "delivered. The store is only read; a live session does not notice.",
    )
    .option("--all", "all intents, resolved ones included")
    .addOption(
      new Option("--state <STATE>", "pending: all that are unresolved; eligible and claimed: some of them")
        .choices(TURN_INTENT_STATES)
        .default("pending")
        .conflicts("all"),
    )
    .option("--run <RUN>", "only intents of this run", nonEmpty)
    .option("--session <SESSION>", "only intents of this session", nonEmpty)
    .option("--limit <COUNT>", `the most intents, 1 to ${LIMIT_MAX}`, limit, 20)
    .option("--after <CURSOR>", "go on where the list before ended");
  addStoreOptions(command)
    .option("--json", "write JSON")
    .addHelpText(
      "after",
      examplesText([
        { line: "deferred-turns list", does: "what is pending in this project" },
        { line: "deferred-turns list --all --run RUN", does: "all of a run" },
        { line: "deferred-turns list --state eligible --session SESSION", does: "what a session sends next" },
        { line: "deferred-turns list --json | jq -r '.intents[].intentId'", does: "for a program" },
      ]),
    )
    .action((options: Options) => list(options, terminal));
}

async function list(options: Options, terminal: Terminal): Promise<void> {
  await readStore(options, terminal, async ({ store, path }) => {
    const page = store.listWorkflowTurnIntents(listing(options));
    terminal.write(
      options.json === true ? listJson(page, path, terminal.now()) : await listText(page, options, terminal),
    );
  });
}

function listing({ all, state, run, session, limit, after }: Options): ListTurnIntents {
  return {
    limit,
    ...(all === true ? {} : { state }),
    ...(run === undefined ? {} : { runId: run }),
    ...(session === undefined ? {} : { targetSessionId: session }),
    ...(after === undefined ? {} : { after }),
  };
}

function listJson({ intents, unreadable, next }: TurnIntentPage, store: string, now: number): string {
  return jsonText({
    format: "deferred-turns-list.v1",
    store,
    intents: intents.map((intent) => intentJson(intent, now)),
    unreadable: unreadable.map(({ rowid, intentId, violations }) => ({
      rowid,
      intentId: intentId ?? null,
      violations: violations.map(({ path, message }) => ({ path, message })),
    })),
    next: next ?? null,
  });
}

const TITLES = ["ID", "STATE", "CAUSE", "RUN", "STEP", "SESSION", "REQUESTED"];

async function listText(page: TurnIntentPage, options: Options, terminal: Terminal): Promise<string> {
  const { intents, unreadable, next } = page;
  const rows = intents.map((intent) => rowOf(intent, terminal));
  return [
    intents.length === 0 ? nothing(options) : await tableText(TITLES, rows, terminal),
    ...unreadable.map((row) => unreadableText(row)),
    ...(next === undefined ? [] : [`There are more: add --after ${next}`]),
  ].join("\n");
}

function rowOf(intent: WorkflowTurnIntent, terminal: Terminal): readonly string[] {
  const now = terminal.now();
  const state = stateOf(intent, now);
  return [
    shortId(intent.intentId),
    painted(STATE_STYLES[state], state, terminal),
    intent.cause,
    printable(intent.runId),
    stepOf(intent),
    printable(intent.targetSessionId),
    ago(parseTimestamp(intent.requestedAt), now),
  ];
}

function nothing({ all, state, run, session }: Options): string {
  const of = [...(run === undefined ? [] : ["of this run"]), ...(session === undefined ? [] : ["of this session"])];
  const what = [all === true ? "turn intent" : `${state} turn intent`, ...of].join(" ");
  return all === true ? `There is no ${what}.` : `There is no ${what}; --all lists resolved ones, too.`;
}

function unreadableText({ rowid, intentId, violations }: UnreadableTurnIntent): string {
  const [first] = violations;
  const more = violations.length > 1 ? ` (and ${plural(violations.length - 1, "more flaw")})` : "";
  const row = intentId === undefined ? `The row ${rowid}` : `The row ${rowid}, ${printable(intentId)},`;
  return `${row} cannot be read: ${printable(first?.message ?? "it breaks its contract.")}${more}`;
}

function limit(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= LIMIT_MAX) return value;
  throw new InvalidArgumentError(`Give a whole number from 1 to ${LIMIT_MAX}.`);
}
