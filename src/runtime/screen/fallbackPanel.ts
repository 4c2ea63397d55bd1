import { type FallbackReading, readFallbackText } from "../../contracts/fallbackReading.ts";
import { isDeferredTurnMessageDetails } from "../../contracts/messageDetails.ts";
import { cleanText } from "../../contracts/untrustedText.ts";
import { cut, type Fact, factLines, type Layout, shownLine, wrapped } from "./layout.ts";
import { placeOf, shortId } from "./names.ts";

/** A successor message as Pi keeps it. Other programs write such messages too, so nothing of it is trusted. */
export interface MessageView {
  readonly content: string | readonly { readonly type: string; readonly text?: string }[];
  readonly details?: unknown;
}

/** How much of a message is shown. */
export interface PanelLayout extends Layout {
  readonly expanded: boolean;
  /** What to press to see all of it; empty where no key is set. */
  readonly hint: string;
}

const MARK = "↻ ";

/** How many lines of a text in other words are shown at first. */
const FIRST_LINES = 3;

/** The lines of a successor message for a person: what happened, to which run and step, and why. */
export type Panel = (layout: PanelLayout) => readonly string[];

/** Reads a successor message once; what it gives lays it out, and throws for no width. */
export function fallbackPanel(message: MessageView): Panel {
  const text = cleanText(textOf(message.content));
  const intentId = isDeferredTurnMessageDetails(message.details) ? shownLine(message.details.turnIntentId) : undefined;
  const reading = readFallbackText(text);
  if (reading === undefined) return (layout) => foreignLines(text, intentId, layout);
  return (layout) => (layout.expanded ? fullLines(reading, intentId, layout) : firstLines(reading, layout));
}

function firstLines({ observation, facts, handoff }: FallbackReading, layout: PanelLayout): readonly string[] {
  const { width, paint, hint } = layout;
  const place = placeOf({ workflow: facts.get("workflow") ?? "", node: facts.get("node") ?? null });
  const state = facts.get("state");
  const where = handoff || state === undefined ? place : `${place} · ${state}`;
  const reason = facts.get("reason");
  return [
    ...headline(observation, layout),
    ...wrapped(withHint(paint.fg("text", where), hint), { width, indent: MARK.length }),
    ...(handoff ? wrapped(paint.fg("accent", HANDOFF_NOTE), { width, indent: MARK.length }) : []),
    ...(reason === undefined
      ? []
      : [cut(`${" ".repeat(MARK.length)}${paint.fg("customMessageText", shownLine(reason))}`, width)]),
  ];
}

const HANDOFF_NOTE = "Another runner can continue this run.";

function fullLines(reading: FallbackReading, intentId: string | undefined, layout: PanelLayout): readonly string[] {
  const { observation, facts, handoff, request } = reading;
  const { width, paint } = layout;
  const named: readonly Fact[] = [...facts].map(([name, value]) => [name === "node" ? "step" : name, value]);
  return [
    ...headline(observation, layout),
    ...(handoff ? wrapped(paint.fg("accent", HANDOFF_NOTE), { width, indent: MARK.length }) : []),
    "",
    ...factLines([...named, ...idFacts(intentId)], layout),
    "",
    paint.fg("muted", cut("The agent was asked:", width)),
    ...wrapped(paint.fg("customMessageText", request), { width }),
    ...whereToLook(intentId, layout),
  ];
}

/** A text in words that this version does not know, as it stands. */
function foreignLines(text: string, intentId: string | undefined, layout: PanelLayout): readonly string[] {
  const { width, paint, expanded, hint } = layout;
  const lines = wrapped(paint.fg("customMessageText", text), { width, indent: MARK.length });
  const title = headline("A message about an interrupted workflow turn:", layout);
  if (expanded) return [...title, ...lines, ...factLines(idFacts(intentId), layout), ...whereToLook(intentId, layout)];
  const isCut = lines.length > FIRST_LINES;
  const rest = isCut ? wrapped(withHint(paint.fg("muted", "…"), hint), { width, indent: MARK.length }) : [];
  return [...title, ...lines.slice(0, FIRST_LINES), ...rest];
}

function headline(sentence: string, { width, paint }: Layout): readonly string[] {
  const first = paint.fg("customMessageLabel", MARK);
  return wrapped(paint.fg("customMessageLabel", paint.bold(sentence)), { width, indent: MARK.length, first });
}

function idFacts(intentId: string | undefined): readonly Fact[] {
  return intentId === undefined ? [] : [["intent", intentId]];
}

function whereToLook(intentId: string | undefined, { width, paint }: Layout): readonly string[] {
  if (intentId === undefined) return [];
  return ["", ...wrapped(paint.fg("dim", `/deferred-turns show ${shortId(intentId)} tells its story.`), { width })];
}

function withHint(text: string, hint: string): string {
  return hint === "" ? text : `${text}  ${hint}`;
}

function textOf(content: MessageView["content"]): string {
  if (typeof content === "string") return content;
  return content.map(({ text }) => text ?? "").join("\n");
}
