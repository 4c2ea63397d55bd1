import { styleText } from "node:util";
import type { WorkflowTurnIntent } from "../../../generated/records.ts";
import { LAUNCH_NODE_ID } from "../../contracts/identity.ts";
import { cleanText, onOneLine } from "../../contracts/untrustedText.ts";
import type { IntentState } from "./intentState.ts";

/** How every intent's id begins. */
export const ID_PREFIX = "deferred-turn:";
const SHORT_ID_LENGTH = 12;

/** The beginning of an intent's id that a person types: its first hex digits. */
export function shortId(intentId: string): string {
  return printable(intentId.replace(ID_PREFIX, "")).slice(0, SHORT_ID_LENGTH);
}

/** The id that a person means by its beginning, with or without the prefix that all ids have. */
export function fullIdPrefix(typed: string): string {
  return typed.startsWith(ID_PREFIX) ? typed : ID_PREFIX + typed;
}

/** Text from a store, which anybody may have written, as one line that commands no terminal. */
export function printable(text: string): string {
  return onOneLine(cleanText(text));
}

/** The step of an intent, as a person knows it; before the first one it is the launch. */
export function stepOf({ nodeId }: Pick<WorkflowTurnIntent, "nodeId">): string {
  if (nodeId === null) return "–";
  return nodeId === LAUNCH_NODE_ID ? "launch" : printable(nodeId);
}

export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1000],
] as const;

/** How long ago something was, in its largest unit. */
export function ago(then: number, now: number): string {
  const elapsed = now - then;
  for (const [unit, length] of UNITS) {
    if (elapsed >= length) return `${plural(Math.floor(elapsed / length), unit)} ago`;
  }
  return elapsed < -1000 ? "in the future" : "just now";
}

type Style = Parameters<typeof styleText>[0];

/** Paints text where the terminal has colours. */
export function painted(style: Style, text: string, { hasColours }: { readonly hasColours: boolean }): string {
  return hasColours ? styleText(style, text, { validateStream: false }) : text;
}

export const STATE_STYLES: Readonly<Record<IntentState, Style>> = {
  pending: "cyan",
  eligible: "yellow",
  claimed: "magenta",
  resolved: "green",
};
