import type { ThemeColor } from "@earendil-works/pi-coding-agent";
import type { TurnIntentResolution, WorkflowTurnIntent } from "../../../generated/records.ts";

/** How an intent stands, as a person sees it. */
export type Standing = "due" | "held" | "silenced" | "open" | "quiet" | "delivered";

/** What decides how an intent stands, beside the intent itself. */
export interface Surroundings {
  /** Whether the run waits for `/workflow resume`, after Escape or a pause. */
  readonly held: boolean;
  /** Whether a person cancelled the run. */
  readonly cancelledByUser: boolean;
  /** Whether the user pressed Escape in the session and has not spoken since. */
  readonly silenced: boolean;
}

/** Decides how an intent stands. */
export function standingOf(
  { resolvedAt, eligibleAt }: Pick<WorkflowTurnIntent, "resolvedAt" | "eligibleAt">,
  { held, cancelledByUser, silenced }: Surroundings,
): Standing {
  if (resolvedAt !== null) return "delivered";
  if (held) return "held";
  if (eligibleAt === null) return cancelledByUser ? "quiet" : "open";
  return silenced ? "silenced" : "due";
}

/** How a standing is shown, and what it means for the person who reads it. */
export const STANDINGS: Readonly<
  Record<Standing, { readonly label: string; readonly colour: ThemeColor; readonly meaning: string }>
> = {
  due: { label: "due", colour: "accent", meaning: "The agent is told as soon as the session is idle." },
  held: {
    label: "held",
    colour: "warning",
    meaning: "The run is held: /workflow resume lets it go on, /workflow cancel ends it.",
  },
  silenced: {
    label: "waiting for you",
    colour: "warning",
    meaning: "You pressed Escape: the agent is told after your next message.",
  },
  open: {
    label: "open",
    colour: "muted",
    meaning: "The run may still go on: its next message to the agent counts as the turn.",
  },
  quiet: { label: "quiet", colour: "dim", meaning: "You cancelled the run, so the agent is not told." },
  delivered: { label: "delivered", colour: "success", meaning: "The agent got its message." },
};

/** What delivered an intent, in words. */
export const RESOLUTIONS: Readonly<Record<TurnIntentResolution, string>> = {
  workflowPrompt: "the next workflow prompt",
  presentation: "the workflow's result",
  fallback: "a message of facts",
};
