import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { DeferredTurnsError } from "../../contracts/errors.ts";
import type { BoundSession } from "../../pi/boundSession.ts";
import { type Diagnostic, sentenceOf } from "../../turns/diagnostics.ts";
import { PLAIN } from "./layout.ts";
import { isNamedBy, placeOf, shortId } from "./names.ts";
import { diagnosticLines, listLines, type ReportLayout, storyLines } from "./reports.ts";
import { deliveredTurns, pendingTurns, type SessionTurn } from "./sessionTurns.ts";
import { type Page, TurnsScreen, type TurnsSnapshot } from "./turnsScreen.ts";

/** What the command reads. */
export interface TurnsCommandParts {
  /** The bound session, while one is open. */
  readonly session: () => BoundSession | undefined;
  readonly diagnostics: () => readonly Diagnostic[];
  readonly now: () => number;
}

const VERBS = ["list", "show", "diagnostics"] as const;

/** The width of what is told to a program, in columns. */
const PROGRAM_WIDTH = 100;

/**
 * Registers `/deferred-turns`: what the session owes and what became of it, the story of one turn, and what went wrong.
 * It only looks, and starts no turn. In the terminal it opens a screen; elsewhere it is one notification.
 */
export function registerTurnsCommand(pi: Pick<ExtensionAPI, "registerCommand">, parts: TurnsCommandParts): void {
  pi.registerCommand("deferred-turns", {
    description: "Look at the later turns that interrupted workflows owe, at one of them, or at the diagnostics",
    getArgumentCompletions: (prefix) => completions(parts, prefix),
    handler: async (args, context) => {
      try {
        await answer(args.trim(), parts, context);
      } catch (error) {
        context.ui.notify(sentenceOf(error), "error");
      }
    },
  });
}

async function answer(line: string, parts: TurnsCommandParts, context: ExtensionContext): Promise<void> {
  const session = parts.session();
  if (session === undefined) throw unknown("Turns belong to a session, and none is open.");
  // What went wrong can be told even when the store, out of which turns are read, is what is wrong.
  const { turns, more } =
    (line === "diagnostics" ? session.attempt("listing turns", () => turnsOf(session)) : turnsOf(session)) ?? NO_TURNS;
  const snapshot: TurnsSnapshot = { turns, more, diagnostics: parts.diagnostics(), now: parts.now() };
  const page = pageFor(line, snapshot);
  if (context.mode === "tui") await openScreen(snapshot, page, context);
  else context.ui.notify(asText(snapshot, page), "info");
}

function openScreen(snapshot: TurnsSnapshot, page: Page, context: ExtensionContext): Promise<void> {
  return context.ui.custom<void>(
    (tui, paint, keys, done) =>
      new TurnsScreen(snapshot, page, {
        paint,
        keys,
        rows: () => tui.terminal.rows,
        redraw: () => tui.requestRender(),
        close: () => done(undefined),
      }),
  );
}

function asText({ turns, more, diagnostics, now }: TurnsSnapshot, page: Page): string {
  const layout: ReportLayout = { width: PROGRAM_WIDTH, paint: PLAIN, now };
  switch (page.kind) {
    case "list":
      return [...listLines(turns, layout), ...(more ? ["More are pending."] : [])].join("\n");
    case "story":
      return storyLines(page.turn, diagnostics, layout).join("\n");
    case "diagnostics":
      return diagnosticLines(diagnostics, layout).join("\n");
  }
}

type Turns = Pick<TurnsSnapshot, "turns" | "more">;

const NO_TURNS: Turns = { turns: [], more: false };

/** Pending turns first. */
function turnsOf(session: BoundSession): Turns {
  const { turns, more } = pendingTurns(session);
  return { turns: [...turns, ...deliveredTurns(session)], more };
}

function pageFor(line: string, { turns }: TurnsSnapshot): Page {
  const [verb = "list", id = "", ...more] = line === "" ? [] : line.split(/\s+/);
  if (verb === "list" && id === "") return { kind: "list", selected: 0 };
  if (verb === "diagnostics" && id === "") return { kind: "diagnostics", top: 0 };
  if (verb === "show" && id !== "" && more.length === 0) {
    return { kind: "story", turn: turnNamed(id, turns), selected: undefined, top: 0 };
  }
  throw unknown("Use /deferred-turns, /deferred-turns show ID, or /deferred-turns diagnostics.");
}

function turnNamed(typed: string, turns: readonly SessionTurn[]): SessionTurn {
  const [turn, another] = turns.filter(({ intent }) => isNamedBy(intent.intentId, typed));
  if (turn === undefined) {
    throw unknown(`No turn of this session has an id that begins with ${typed}; /deferred-turns lists them.`);
  }
  if (another !== undefined) throw unknown(`Several turns have an id that begins with ${typed}; type more of it.`);
  return turn;
}

function unknown(message: string): DeferredTurnsError {
  return new DeferredTurnsError({ code: "INVALID_ARGUMENT", message });
}

/** What can still be completed: while a completion is offered, Pi takes Enter for it and does not run the command. */
function completions(
  parts: TurnsCommandParts,
  prefix: string,
): { value: string; label: string; description?: string }[] | null {
  const offers = prefix.startsWith("show ") ? idOffers(parts) : VERBS.map((verb) => ({ value: verb, label: verb }));
  const open = offers.filter(({ value }) => value.startsWith(prefix) && value !== prefix);
  return open.length === 0 ? null : open;
}

function idOffers({ session }: TurnsCommandParts): { value: string; label: string; description: string }[] {
  const open = session();
  const { turns } = open?.attempt("completing an id", () => turnsOf(open)) ?? NO_TURNS;
  return turns.map(({ intent }) => {
    const id = shortId(intent.intentId);
    return {
      value: `show ${id}`,
      label: id,
      description: placeOf({ workflow: intent.fallbackFacts.workflowName, node: intent.nodeId }),
    };
  });
}
