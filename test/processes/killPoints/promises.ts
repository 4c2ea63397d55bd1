import type { Remains } from "./remains.ts";

/**
 * Where the run stood when its process died:
 *
 * - `none`: it was never queued;
 * - `queued`: no process had claimed it;
 * - `between`: claimed, with no step under way;
 * - `asked`: an agent's step was under way;
 * - `requested`: a step was under way, and a controller had asked for the run's end;
 * - `ending`: all steps were done, the end not recorded;
 * - `over`: its end was recorded.
 */
type RunState = "none" | "queued" | "between" | "asked" | "requested" | "ending" | "over";

/**
 * How far the newest intent had come: `owed`, with no message in the session's file; `delivered`, with its message there;
 * or `resolved`.
 */
type IntentState = "owed" | "delivered" | "resolved";

/** What was durable at a death. */
export type DeathState = RunState | `${RunState}, ${IntentState}`;

/** An intent as the story ends: its cause, and the path that resolved it. */
export type Fate = `${string} by ${string}`;

/** What was durable when the process died. */
export function deathState(remains: Remains): DeathState {
  const [run, intent] = [runState(remains), intentState(remains)];
  return intent === undefined ? run : `${run}, ${intent}`;
}

function runState({ run, history }: Remains): RunState {
  if (run === undefined || history === undefined) return "none";
  if (run.status === "queued") return "queued";
  if (run.status === "done" || run.status === "failed" || run.status === "cancelled") return "over";
  if (history.progress.attempt !== undefined) return history.interrupt === undefined ? "asked" : "requested";
  return Object.keys(history.progress.steps).length > 0 ? "ending" : "between";
}

function intentState({ intents, delivered }: Remains): IntentState | undefined {
  if (intents.length === 0) return undefined;
  const pending = intents.find(({ resolvedAt }) => resolvedAt === null);
  if (pending === undefined) return "resolved";
  return delivered.includes(pending.intentId) ? "delivered" : "owed";
}

type Promises = Partial<Record<DeathState, readonly Fate[]>>;

/**
 * A run that ends by its interruption. Before the interruption is durable, it never happened: the run is launched or taken
 * over, the step is asked anew, and then it is interrupted again. Once it is durable, exactly its own turn follows.
 */
function endsBy(fate: Fate): Promises {
  return {
    none: [],
    queued: [fate],
    between: [fate],
    asked: ["claimLost by workflowPrompt", fate],
    "over, owed": [fate],
    "over, delivered": [fate],
    "over, resolved": [fate],
  };
}

const RECOVERED: Fate = "timedOut by workflowPrompt";
const PRESENTED: Fate = "timedOut by presentation";
const TAKEN_OVER: Fate = "claimLost by workflowPrompt";

/**
 * What the specification promises for each story and each state in which a process can die: the fates of all intents once
 * everything has settled in another process. Each of them has exactly one message.
 *
 * A death in an agent's step is a lost claim, with a turn of its own: the prompt of the step that is asked anew. Where an
 * earlier interruption of the run is still owed its turn, the lost claim is absorbed by it.
 */
export const PROMISES: Readonly<Record<string, Promises>> = {
  agentCancels: endsBy("agentCancelled by fallback"),
  timesOut: endsBy("timedOut by fallback"),
  launchFails: endsBy("launchFailed by fallback"),
  controllerInterrupts: {
    ...endsBy("controllerInterrupted by fallback"),
    // The new owner hears the controller first, and prompts nobody: the lost claim is what the agent is told of.
    requested: ["claimLost by fallback"],
  },
  recovers: {
    none: [],
    queued: [RECOVERED],
    between: [RECOVERED],
    asked: [TAKEN_OVER, RECOVERED],
    "between, owed": [RECOVERED],
    "asked, owed": [RECOVERED],
    "asked, delivered": [RECOVERED, TAKEN_OVER],
    "asked, resolved": [RECOVERED, TAKEN_OVER],
    "ending, resolved": [RECOVERED],
    "over, resolved": [RECOVERED],
  },
  presents: {
    none: [],
    // The turn in which the agent would have completed the late step died: now its recovery is prompted for.
    queued: [RECOVERED],
    between: [RECOVERED],
    asked: [TAKEN_OVER, RECOVERED],
    "between, owed": [RECOVERED],
    "asked, owed": [RECOVERED],
    "ending, owed": [PRESENTED],
    "over, owed": [PRESENTED],
    "over, delivered": [PRESENTED],
    "over, resolved": [PRESENTED],
  },
  takesOver: {
    // The first process died in this state, and the second before it had taken over.
    asked: [TAKEN_OVER],
    "asked, owed": [TAKEN_OVER],
    "asked, delivered": [TAKEN_OVER, TAKEN_OVER],
    "asked, resolved": [TAKEN_OVER, TAKEN_OVER],
    "ending, resolved": [TAKEN_OVER],
    "over, resolved": [TAKEN_OVER],
  },
};
