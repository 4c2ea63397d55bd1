import { type Command, Option } from "commander";
import { TURN_INTENT_CAUSES } from "../../../generated/contracts.ts";
import { TURN_INTENT_RESOLUTIONS } from "../../../generated/records.ts";
import {
  resolutionMessageId,
  type SourceEventIdentity,
  sourceEventId,
  type TurnIntentIdentity,
  turnIntentId,
} from "../../contracts/identity.ts";
import { CommandFailure } from "../commandFailure.ts";
import { type Example, examplesText } from "../examples.ts";
import { jsonText } from "../output/json.ts";
import type { Terminal } from "../terminal.ts";

/** The parts of an id: texts that may come from anywhere, which the functions check. */
type Parts = Readonly<Record<string, unknown>>;

interface IdFunction {
  readonly name: string;
  readonly summary: string;
  readonly parts: readonly Part[];
  readonly idOf: (parts: Parts) => string;
  readonly example: Example;
}

interface Part {
  readonly name: string;
  readonly what: string;
  /** What stands for the part where it is not given; without, it must be given. */
  readonly absent?: null;
  readonly choices?: readonly string[];
}

const RUN: Part = { name: "runId", what: "the run" };
const NODE: Part = { name: "nodeId", what: "the node, $launch for a launch; unknown when left out", absent: null };
const ATTEMPT: Part = { name: "attemptId", what: "the attempt; unknown when left out", absent: null };

const FUNCTIONS: readonly IdFunction[] = [
  {
    name: "turnIntentId",
    summary: "the id of a turn intent",
    parts: [
      { name: "targetSessionId", what: "the session that receives the turn" },
      RUN,
      { name: "sourceEventId", what: "the source event" },
      NODE,
      ATTEMPT,
      { name: "cause", what: "what made the turn necessary", choices: TURN_INTENT_CAUSES },
    ],
    idOf: (parts) => turnIntentId(parts as unknown as TurnIntentIdentity),
    example: {
      line: "deferred-turns id turnIntentId --target-session-id S --run-id R --source-event-id E --cause failed",
      does: "from options",
    },
  },
  {
    name: "sourceEventId",
    summary: "the id of a source event",
    parts: [
      { name: "kind", what: "the kind of transition, such as attempt" },
      RUN,
      NODE,
      ATTEMPT,
      { name: "discriminator", what: "what tells events of one kind and place apart", absent: null },
    ],
    idOf: ({ discriminator, ...parts }) =>
      sourceEventId({ ...parts, discriminator: discriminator ?? undefined } as unknown as SourceEventIdentity),
    example: {
      line: "deferred-turns id sourceEventId --kind attempt --run-id R --node-id build --attempt-id 1",
      does: "from options",
    },
  },
  {
    name: "resolutionMessageId",
    summary: "the identity of the message that resolves an intent",
    parts: [
      { name: "intentId", what: "the id of the intent" },
      { name: "resolution", what: "the path of the message", choices: TURN_INTENT_RESOLUTIONS },
    ],
    idOf: ({ intentId, resolution }) =>
      resolutionMessageId(String(intentId), resolution as (typeof TURN_INTENT_RESOLUTIONS)[number]),
    example: {
      line: "deferred-turns id resolutionMessageId --intent-id ID --resolution fallback",
      does: "from options",
    },
  },
];

/** `deferred-turns id FUNCTION`: the ids that all programs agree on. */
export function addId(program: Command, terminal: Terminal): void {
  const id = program
    .command("id")
    .summary("compute the id of an intent, a source event or a message")
    .helpCommand(false);
  for (const each of FUNCTIONS) addFunction(id, each, terminal);
  id.description("Computes the ids that every program must agree on, from their parts.").addHelpText(
    "after",
    examplesText(FUNCTIONS.map(({ example, summary }) => ({ ...example, does: summary }))),
  );
}

function addFunction(id: Command, each: IdFunction, terminal: Terminal): void {
  const command = id
    .command(each.name)
    .summary(each.summary)
    .description(`Computes ${each.summary}. Without options, the parts are read from stdin as a JSON object.`);
  for (const { name, what, choices } of each.parts) {
    const option = new Option(`--${kebabCase(name)} <${constantCase(name)}>`, what);
    command.addOption(choices === undefined ? option : option.choices(choices));
  }
  command
    .option("--json", "write JSON")
    .addHelpText(
      "after",
      examplesText([each.example, { line: `echo '{ … }' | deferred-turns id ${each.name}`, does: "from JSON" }]),
    )
    .action(async ({ json, ...given }: Parts) => {
      const id = each.idOf(await partsOf(each, given, terminal, command));
      terminal.write(json === true ? jsonText({ format: "deferred-turns-id.v1", function: each.name, id }) : id);
    });
}

async function partsOf({ parts }: IdFunction, given: Parts, terminal: Terminal, command: Command): Promise<Parts> {
  const absent = Object.fromEntries(parts.flatMap(({ name, absent }) => (absent === null ? [[name, null]] : [])));
  if (Object.keys(given).length === 0 && !terminal.isInputTyped) return { ...absent, ...(await partsIn(terminal)) };
  const missing = parts.find(({ name, absent }) => absent !== null && given[name] === undefined);
  if (missing !== undefined) command.error(`error: required option '--${kebabCase(missing.name)}' not specified`);
  return { ...absent, ...given };
}

async function partsIn(terminal: Terminal): Promise<Parts> {
  const text = new TextDecoder().decode(await terminal.readInput());
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Parts;
  } catch {
    // What follows says it.
  }
  throw new CommandFailure("The parts on stdin are no JSON object; give an object, or the options that --help lists.");
}

function kebabCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function constantCase(name: string): string {
  return kebabCase(name).replaceAll("-", "_").toUpperCase();
}
