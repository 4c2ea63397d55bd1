import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { BoundSession } from "../../pi/boundSession.ts";
import type { Outlook } from "../../turns/coordinator.ts";
import { type Paint, PLAIN } from "./layout.ts";
import { pendingTurns } from "./sessionTurns.ts";
import { STANDINGS, type Standing } from "./standing.ts";

const STATUS_KEY = "deferred-turns";

/** The standings that a person may wait for, in the order in which they are told. */
const TOLD = ["due", "held", "silenced", "open"] as const satisfies readonly Standing[];

/** What the status line says of the pending intents; undefined when there is nothing to say. */
export function statusText(
  standings: readonly Standing[],
  { more, paint }: { readonly more: boolean; readonly paint: Paint },
): string | undefined {
  const parts: string[] = [];
  for (const standing of TOLD) {
    const count = standings.filter((each) => each === standing).length;
    if (count === 0) continue;
    const { label, colour } = STANDINGS[standing];
    const noun = parts.length > 0 ? "" : count === 1 ? "turn " : "turns ";
    parts.push(paint.fg(colour, `${count} ${noun}${label}`));
  }
  if (parts.length === 0) return undefined;
  return [...parts, ...(more ? [paint.fg("muted", "more")] : [])].join(paint.fg("dim", " · "));
}

/**
 * The item in Pi's status line, there while turns are pending. It asks the store while it shows something, and otherwise
 * only when the session's outlook has changed, so that an idle pass costs nothing.
 */
export class StatusItem {
  #shown: string | undefined;
  #seen: Outlook | undefined;

  /** Looks again after a sync pass. */
  passed(session: BoundSession, context: ExtensionContext): void {
    if (!context.hasUI) return;
    const { outlook } = session;
    if (this.#shown === undefined && isSame(this.#seen, outlook)) return;
    const { turns, more } = pendingTurns(session);
    this.#seen = outlook;
    const paint = context.mode === "tui" ? context.ui.theme : PLAIN;
    this.#show(
      statusText(
        turns.map(({ standing }) => standing),
        { more, paint },
      ),
      context,
    );
  }

  /** The session closes: the next one begins with nothing shown. */
  closed(context: ExtensionContext): void {
    this.#show(undefined, context);
    this.#seen = undefined;
  }

  #show(text: string | undefined, context: ExtensionContext): void {
    if (text === this.#shown) return;
    context.ui.setStatus(STATUS_KEY, text);
    this.#shown = text;
  }
}

function isSame(before: Outlook | undefined, now: Outlook): boolean {
  return before !== undefined && before.kept === now.kept && before.eligible === now.eligible;
}
