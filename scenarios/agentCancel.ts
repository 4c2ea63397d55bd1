import type { AgentSessionEvent, SessionEntry } from "@earendil-works/pi-coding-agent";
import type { WorkflowTurnIntent } from "../generated/records.ts";
import { FALLBACK_MESSAGE_TYPE } from "../src/contracts/messageTypes.ts";
import { openControllerStore } from "../src/store/openControllerStore.ts";
import { projectStorePath } from "../src/store/projectStorePath.ts";
import { EXTENSION } from "./support/extension.ts";
import type { ScriptedAnswer } from "./support/scriptedModel.ts";
import { openSdkSession, type SdkSession } from "./support/sdkSession.ts";
import { customMessages } from "./support/sessionFile.ts";
import { until } from "./support/until.ts";
import type { World } from "./support/world.ts";

/** Something that happened in a scenario, and when (epoch milliseconds). */
export interface Moment {
  readonly at: number;
  readonly what: string;
}

/** What a scenario left behind. */
export interface ScenarioResult {
  readonly timeline: readonly Moment[];
  readonly intents: readonly WorkflowTurnIntent[];
  readonly entries: readonly SessionEntry[];
  readonly modelCalls: number;
  readonly successorTurns: number;
  readonly errors: readonly string[];
}

/** In one answer the model starts a workflow and cancels it; its next answer is the successor turn. */
export const CANCEL_SCRIPT: readonly ScriptedAnswer[] = [
  {
    toolCalls: [
      { name: "workflow", arguments: { action: "start", name: "tidy-up", prompt: "Sort the imports." } },
      { name: "workflow", arguments: { action: "cancel", reason: "the imports are sorted already" } },
    ],
  },
  { text: "The workflow was cancelled before it did anything; nothing needs a correction." },
];

/** How long the session is watched for a turn too many, milliseconds: three sync periods. */
const WATCH_MS = 3000;

/** An agent starts a workflow and cancels it from its own turn, in a session of real Pi. */
export async function agentCancel(world: World): Promise<ScenarioResult> {
  const timeline = new Timeline();
  const session = await openSdkSession({
    world,
    steps: CANCEL_SCRIPT,
    extensions: [EXTENSION],
    onEvent: (event) => timeline.pi(event),
  });
  const store = openControllerStore({ path: projectStorePath(world.projectDir), readonly: true });
  try {
    await session.prompt("Tidy up, please.");
    const intents = (): readonly WorkflowTurnIntent[] => store.listWorkflowTurnIntents({ limit: 100 }).intents;
    await until(() => intents().some(({ resolvedAt }) => resolvedAt !== null), { what: "the intent is resolved" });
    await watchForMore(session);
    for (const intent of intents()) timeline.intent(intent);
    return resultOf(session, timeline, intents());
  } finally {
    store.close();
    await session.dispose();
  }
}

async function watchForMore(session: SdkSession): Promise<void> {
  await session.untilSettledIdle(2);
  const end = Date.now() + WATCH_MS;
  await until(() => Date.now() >= end || session.calls.length > 2, { what: "three sync periods went by" });
}

function resultOf(session: SdkSession, timeline: Timeline, intents: readonly WorkflowTurnIntent[]): ScenarioResult {
  const { entries, calls, errors } = session;
  return {
    timeline: timeline.moments(),
    intents,
    entries,
    modelCalls: calls.length,
    successorTurns: Math.max(customMessages(entries, FALLBACK_MESSAGE_TYPE).length, calls.length - 1),
    errors: errors.map(({ error }) => error),
  };
}

/** Collects what Pi and the store tell, in the order of time. */
class Timeline {
  readonly #moments: Moment[] = [];

  pi(event: AgentSessionEvent): void {
    const what = describe(event);
    if (what !== undefined) this.#moments.push({ at: Date.now(), what });
  }

  intent({ requestedAt, eligibleAt, resolvedAt, resolution }: WorkflowTurnIntent): void {
    this.#stored(requestedAt, "store    the turn intent is stored");
    this.#stored(eligibleAt, "store    the run is durably cancelled; the intent may fall back");
    this.#stored(resolvedAt, `store    the message was seen; the intent is resolved by ${resolution}`);
  }

  moments(): readonly Moment[] {
    return [...this.#moments].sort((a, b) => a.at - b.at);
  }

  #stored(at: string | null, what: string): void {
    if (at !== null) this.#moments.push({ at: Date.parse(at), what });
  }
}

function describe(event: AgentSessionEvent): string | undefined {
  switch (event.type) {
    case "tool_execution_start":
      return `model    calls workflow ${(event.args as { readonly action: string }).action}`;
    case "message_end":
      return describeMessage(event.message);
    case "agent_settled":
      return "Pi       settled";
    default:
      return undefined;
  }
}

function describeMessage(message: Extract<AgentSessionEvent, { type: "message_end" }>["message"]): string | undefined {
  if (message.role === "user") return "user     asks";
  if (message.role === "custom") return `workflow sends ${message.customType}`;
  if (message.role !== "assistant") return undefined;
  if (message.stopReason === "aborted") return "Pi       the turn is aborted";
  return message.stopReason === "stop" ? "model    answers the successor turn" : undefined;
}
