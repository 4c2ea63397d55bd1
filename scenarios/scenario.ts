import { isDeepStrictEqual } from "node:util";
import type { SessionEntry } from "@earendil-works/pi-coding-agent";
import type { TurnIntentCause } from "../generated/contracts.ts";
import type { TurnIntentResolution, WorkflowTurnIntent } from "../generated/records.ts";
import { turnIntentIdIn } from "../src/contracts/messageDetails.ts";
import type { ModelCall } from "./support/modelCalls.ts";
import type { Moment } from "./support/timeline.ts";
import type { World } from "./support/world.ts";

/** One row of the specification's event table, or one promise beside it, as something that happens on real Pi. */
export interface Scenario {
  /** What `--only` and the live tests call it. */
  readonly name: string;
  /** The event in the specification's words. */
  readonly event: string;
  readonly expected: Observed;
  /**
   * Where Pi runs: in this process, whose environment only one scenario at a time can have; in processes of its own; or
   * in a terminal, which needs tmux.
   */
  readonly host: "sdk" | "processes" | "terminal";
  run(world: World): Promise<Outcome>;
}

/** The numbers of a row. */
export interface Observed {
  /** In the order of their requests. */
  readonly intents: readonly IntentFate[];
  /** Model calls until the first successor message, or until a person acted. */
  readonly callsBefore: number;
  readonly callsAfter: number;
}

/** What an intent was for and what became of it: resolved, eligible for a fallback, or pending and not eligible. */
export interface IntentFate {
  readonly cause: TurnIntentCause;
  readonly fate: TurnIntentResolution | "eligible" | "pending";
}

/** What a scenario left behind. */
export interface Outcome {
  readonly intents: readonly WorkflowTurnIntent[];
  readonly calls: readonly ModelCall[];
  readonly entries: readonly SessionEntry[];
  /** The model calls until a person acted, where no successor message parts before from after. */
  readonly callsBefore?: number;
  /** What else must hold, as sentences. */
  readonly claims: Readonly<Record<string, boolean>>;
  /** What Pi complained of. */
  readonly complaints: readonly string[];
  /** What happened when, where Pi ran in this process. */
  readonly timeline: readonly Moment[];
}

/** The outcome in numbers. */
export function observe({ intents, calls, entries, callsBefore }: Outcome): Observed {
  const before = callsBefore ?? callsBeforeSuccessor(calls, entries);
  return {
    intents: [...intents].sort((a, b) => (a.requestedAt < b.requestedAt ? -1 : 1)).map(fateOf),
    callsBefore: before,
    callsAfter: calls.length - before,
  };
}

/** What differs from the expectation, as sentences; none when the row is as the specification wants it. */
export function differences({ expected }: Pick<Scenario, "expected">, outcome: Outcome): readonly string[] {
  const observed = observe(outcome);
  return [
    ...(isDeepStrictEqual(observed, expected)
      ? []
      : [`Expected ${describeObserved(expected)}, and saw ${describeObserved(observed)}.`]),
    ...Object.entries(outcome.claims).flatMap(([claim, holds]) => (holds ? [] : [`It does not hold that ${claim}.`])),
    ...outcome.complaints.map((complaint) => `Pi complains: ${complaint}`),
  ];
}

/** The numbers as a person reads them. */
export function describeObserved({ intents, callsBefore, callsAfter }: Observed): string {
  const fates = intents.map(({ cause, fate }) => `${cause} → ${fate}`).join(", ");
  return `${fates === "" ? "no intent" : fates}; calls ${callsBefore} + ${callsAfter}`;
}

function fateOf({ cause, resolution, eligibleAt }: WorkflowTurnIntent): IntentFate {
  return { cause, fate: resolution ?? (eligibleAt === null ? "pending" : "eligible") };
}

/** The first call that is about a message with an intent's id; all calls where there is none. */
function callsBeforeSuccessor(calls: readonly ModelCall[], entries: readonly SessionEntry[]): number {
  const contents = entries.flatMap((entry) =>
    entry.type === "custom_message" && turnIntentIdIn(entry.details) !== undefined ? [entry.content] : [],
  );
  const first = calls.find(({ newMessages }) => newMessages.some(({ text }) => contents.includes(text)));
  return first?.index ?? calls.length;
}
