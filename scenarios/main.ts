// `npm start`: an agent cancels its own workflow on real Pi, and gets its one successor turn.
import { parseArgs } from "node:util";
import type { SessionEntry } from "@earendil-works/pi-coding-agent";
import { agentCancel, type ScenarioResult } from "./agentCancel.ts";
import { createWorld } from "./support/world.ts";

const { values } = parseArgs({ options: { json: { type: "boolean", default: false } } });

const world = createWorld();
try {
  const result = await agentCancel(world);
  console.log(values.json ? JSON.stringify(result, undefined, 2) : report(result));
  process.exitCode = isAsPromised(result) ? 0 : 1;
} finally {
  await world.dispose();
}

/** One intent, resolved by a fallback, one successor turn, and no complaint of Pi. */
function isAsPromised({ intents, successorTurns, modelCalls, errors }: ScenarioResult): boolean {
  const [intent] = intents;
  return (
    intents.length === 1 &&
    intent?.resolution === "fallback" &&
    successorTurns === 1 &&
    modelCalls === 2 &&
    errors.length === 0
  );
}

function report({ timeline, intents, entries, errors, successorTurns }: ScenarioResult): string {
  const start = timeline[0]?.at ?? 0;
  return [
    "An agent starts a workflow and cancels it from its own turn.",
    "",
    ...timeline.map(({ at, what }) => `${String(at - start).padStart(6)} ms  ${what}`),
    "",
    "The intent's row",
    ...intents.flatMap((intent) =>
      Object.entries(intent).map(([name, value]) => `  ${name.padEnd(23)} ${shown(value)}`),
    ),
    "",
    "The session's entries",
    ...entries.map((entry) => `  ${describe(entry)}`),
    "",
    ...errors.map((error) => `Pi reports: ${error}`),
    `successor turns: ${successorTurns}`,
  ].join("\n");
}

function shown(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function describe(entry: SessionEntry): string {
  if (entry.type === "custom_message") return `custom_message  ${entry.customType}  ${JSON.stringify(entry.details)}`;
  if (entry.type !== "message") return entry.type;
  const { message } = entry;
  return message.role === "assistant" ? `message  assistant (${message.stopReason})` : `message  ${message.role}`;
}
