import type { TurnIntentCause } from "../../generated/contracts.ts";

/**
 * Something that stopped, stranded or ended a workflow turn, as the runtime saw it: one row of the event table
 * (the specification, section Source events).
 */
export type TurnEvent =
  /** The agent called `workflow cancel` in a turn of that workflow. */
  | { readonly kind: "agentCancelled" }
  /** An agent step ran out of time. A recovery prompt may follow before the run is terminal. */
  | { readonly kind: "stepTimedOut" }
  /** A workflow with an active turn failed for good. */
  | { readonly kind: "runFailed" }
  /** `start` was reported as successful, and the run crashed before its first prompt. */
  | { readonly kind: "startCrashed" }
  /** A queued launch could not be activated; its queue row is already durably failed. */
  | { readonly kind: "launchFailed" }
  /** A controller stopped the active turn. */
  | { readonly kind: "controllerInterrupted"; readonly continuation: ControllerContinuation }
  /** Another process took the run over. */
  | { readonly kind: "claimLost" }
  /** A completed or waiting run shows its result in a message of its own. */
  | { readonly kind: "resultPresented" }
  /** A person ran `/workflow cancel`. */
  | { readonly kind: "userCancelled" }
  /** A person paused the workflow. */
  | { readonly kind: "paused" }
  /** A person pressed Escape, or the run is held since they did. */
  | { readonly kind: "userHeld" }
  /** The session is closing. */
  | { readonly kind: "sessionShutdown" };

/**
 * What durable state says of a run that a controller interrupted: it ended, it may go on in this session, it was
 * queued again where this session cannot continue it, or nothing is known yet.
 */
export type ControllerContinuation = "terminal" | "thisSession" | "elsewhere" | "unknown";

/** The event owes a turn: its intent is created, or the one of the same source event reused. */
export interface CreateDecision {
  /** The event owes a turn. */
  readonly action: "create";
  /** The cause that the intent is stored with. */
  readonly cause: TurnIntentCause;
  /** Whether the row is written before the turn is aborted, or together with the durable state that it reports. */
  readonly persist: "beforeAbort" | "withDurableState";
  /** Whether a fallback may be sent at once, or only when durable state shows that the run is over. */
  readonly eligible: "now" | "onTerminal";
  /** Whether another runner may continue: such a run is never described as ended. */
  readonly handoff: boolean;
}

/** What an event does to the run's turn intent. */
export type TurnIntentDecision =
  | CreateDecision
  | { readonly action: "resolveExisting"; readonly resolution: "presentation" }
  | { readonly action: "none"; readonly reason: string };

type PlainKind = Exclude<TurnEvent["kind"], "controllerInterrupted">;

const beforeAbort = (cause: TurnIntentCause): CreateDecision => ({
  action: "create",
  cause,
  persist: "beforeAbort",
  eligible: "onTerminal",
  handoff: false,
});

const withDurableFailure = (cause: TurnIntentCause): CreateDecision => ({
  action: "create",
  cause,
  persist: "withDurableState",
  eligible: "now",
  handoff: false,
});

const quiet = (reason: string): TurnIntentDecision => ({ action: "none", reason });

/** The event table as data: every event that needs no further question has its decision here. */
export const EVENT_TABLE: Readonly<Record<PlainKind, TurnIntentDecision>> = {
  agentCancelled: beforeAbort("agentCancelled"),
  stepTimedOut: beforeAbort("timedOut"),
  runFailed: beforeAbort("failed"),
  startCrashed: withDurableFailure("failed"),
  launchFailed: withDurableFailure("launchFailed"),
  claimLost: { ...beforeAbort("claimLost"), handoff: true },
  resultPresented: { action: "resolveExisting", resolution: "presentation" },
  userCancelled: quiet("a person cancelled the workflow and sees what happened"),
  paused: quiet("a person paused the workflow"),
  userHeld: quiet("a person took over with Escape"),
  sessionShutdown: quiet("a closing session cannot start another turn"),
};

const CONTROLLER_TABLE: Readonly<Record<ControllerContinuation, TurnIntentDecision>> = {
  terminal: { ...beforeAbort("controllerInterrupted"), eligible: "now" },
  thisSession: beforeAbort("controllerInterrupted"),
  elsewhere: { ...beforeAbort("controllerInterrupted"), eligible: "now", handoff: true },
  unknown: beforeAbort("controllerInterrupted"),
};

/**
 * Decides what an event does to the turn intent of its run and session: the event table as a pure function
 * (the specification, section Source events).
 */
export function decideTurnIntent(event: TurnEvent): TurnIntentDecision {
  return event.kind === "controllerInterrupted" ? CONTROLLER_TABLE[event.continuation] : EVENT_TABLE[event.kind];
}

/** How a run reached a terminal or waiting state. */
export interface RunEnding {
  /** Who ended it: a person's direct cancel is recorded durably and stays quiet for good. */
  readonly endedBy: "user" | "workflow";
  /** Whether a result message is due, which will resolve the intent itself. */
  readonly presentationDue: boolean;
}

/**
 * Decides whether the unresolved intents of a run become eligible for a fallback as the run ends
 * (the specification, sections Intent lifecycle and Source events). Time is no argument, on purpose: time alone proves nothing.
 */
export function fallbackBecomesEligible(ending: RunEnding): boolean {
  return ending.endedBy === "workflow" && !ending.presentationDue;
}
