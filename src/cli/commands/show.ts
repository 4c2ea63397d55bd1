import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "commander";
import { nonEmpty } from "../argumentText.ts";
import { CommandFailure } from "../commandFailure.ts";
import { examplesText } from "../examples.ts";
import { foldedLines, type HeadedLine } from "../output/foldedLines.ts";
import { stateOf } from "../output/intentState.ts";
import { intentJson, jsonText } from "../output/json.ts";
import { ID_PREFIX, painted, printable, STATE_STYLES, stepOf } from "../output/words.ts";
import { intentById } from "../show/intentById.ts";
import { eventsAround, runOf } from "../show/runOf.ts";
import { findSessionFile, lookInSession, type SessionLook } from "../show/sessionMessage.ts";
import { type IntentWorld, placeOf, type StoryEntry, storyOf } from "../show/story.ts";
import { addStoreOptions, readStore, type StoreOptions } from "../storeOptions.ts";
import type { Terminal } from "../terminal.ts";

interface Options extends StoreOptions {
  readonly sessionFile?: string;
  readonly json?: boolean;
}

/** An intent with all that belongs to it. */
interface Shown extends IntentWorld {
  readonly session: SessionLook;
}

/** `deferred-turns show ID`: the story of one intent. */
export function addShow(program: Command, terminal: Terminal): void {
  const command = program
    .command("show")
    .summary("tell the story of a turn intent")
    .description(
      "Tells what happened to a turn intent, in the order of time: the source event, the run's events around it, when a " +
        "fallback was allowed, the claim, and the message that resolved it, with its place in the session's file.",
    )
    .argument("<ID>", "the id, or as much of its beginning as no other intent has", idBeginning)
    .option(
      "--session-file <FILE>",
      "the session's file; found by itself where Pi keeps it, by default or by its environment",
      nonEmpty,
    );
  addStoreOptions(command)
    .option("--json", "write JSON")
    .addHelpText(
      "after",
      examplesText([
        { line: "deferred-turns show 3f2a9c", does: "by the first digits that list shows" },
        { line: "deferred-turns show 3f2a9c --session-file session.jsonl", does: "with a session kept elsewhere" },
      ]),
    )
    .action((id: string, options: Options) => show(id, options, terminal));
}

/** The prefix that all ids have tells none of them from the others. */
function idBeginning(typed: string): string {
  nonEmpty(typed.replace(ID_PREFIX, ""));
  return typed;
}

async function show(id: string, options: Options, terminal: Terminal): Promise<void> {
  await readStore(options, terminal, async ({ store, path }) => {
    const intent = intentById(store, id);
    const session = lookInSession(sessionFile(intent.targetSessionId, options, terminal), intent.intentId);
    const shown: Shown = {
      intent,
      session,
      run: runOf(store, intent.runId),
      events: eventsAround(store, intent.runId, intent.requestedAt),
      message: session.status === "found" ? session.message : undefined,
      now: terminal.now(),
    };
    terminal.write(options.json === true ? showJson(shown, path) : await showText(shown, terminal));
  });
}

function sessionFile(sessionId: string, options: Options, terminal: Terminal): string | undefined {
  if (options.sessionFile === undefined) return findSessionFile(sessionId, terminal.environment);
  const file = resolve(terminal.folder, options.sessionFile);
  if (existsSync(file)) return file;
  throw new CommandFailure(`There is no session file ${file}.`);
}

function showJson(shown: Shown, store: string): string {
  const { intent, run, session, now } = shown;
  return jsonText({
    format: "deferred-turns-show.v1",
    store,
    intent: intentJson(intent, now),
    run: run === undefined ? null : { runId: run.runId, workflowRef: run.workflowRef, status: run.status },
    session,
    story: storyOf(shown),
  });
}

async function showText(shown: Shown, terminal: Terminal): Promise<string> {
  const { intent, now } = shown;
  const state = stateOf(intent, now);
  const facts = Object.entries(intent.fallbackFacts).map(([name, value]) =>
    line(name, name === "nodeId" && value !== null ? stepOf(intent) : value),
  );
  const lines = [
    { head: painted("bold", intent.intentId, terminal), text: "" },
    paintedLine("state", painted(STATE_STYLES[state], state, terminal)),
    line("cause", intent.cause),
    line("run", `${intent.runId}, ${shown.run?.status ?? "which this store does not know, or cannot read"}`),
    line("workflow", intent.workflowRef),
    line("session", intent.targetSessionId),
    line("message", messageText(shown.session)),
    { head: "", text: "" },
    { head: painted("dim", "STORY", terminal), text: "" },
    ...storyOf(shown).map((entry) => entryLine(entry, terminal)),
    { head: "", text: "" },
    { head: painted("dim", "FACTS", terminal), text: "" },
    ...facts,
  ];
  return (await foldedLines(lines, terminal)).join("\n");
}

function messageText(session: SessionLook): string {
  switch (session.status) {
    case "found":
      return `${placeOf(session.message)}: ${session.message.file}`;
    case "absent":
      return `not in ${session.file}`;
    case "noFile":
      return "the session's file is not where Pi keeps sessions; name it with --session-file";
  }
}

function line(name: string, value: unknown): HeadedLine {
  return paintedLine(name, printable(String(value)));
}

function paintedLine(name: string, text: string): HeadedLine {
  return { head: `${name.padEnd("observedState".length)}  `, text };
}

function entryLine({ at, what, text }: StoryEntry, terminal: Terminal): HeadedLine {
  const time = (at ?? "–").padEnd("2026-08-21T08:17:31.000Z".length);
  return { head: `${painted("dim", time, terminal)}  ${what.padEnd("messageSent".length)}  `, text: printable(text) };
}
