import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { WorkflowDefinition } from "../../generated/contracts.ts";
import type { ScriptedAnswer, ScriptedToolCall } from "./scriptedModel.ts";
import type { World } from "./world.ts";

/** Writes workflow definitions where the world's project has them. */
export function writeWorkflows(world: World, ...definitions: readonly WorkflowDefinition[]): void {
  for (const definition of definitions) writeWorkflowText(world, definition.name, JSON.stringify(definition));
}

/** Writes the file of a workflow as it is, for one that is broken. */
export function writeWorkflowText(world: World, name: string, text: string): void {
  const folder = join(world.projectDir, ".pi", "workflows");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.json`), text);
}

/** An answer in which the model calls the workflow tool, once for each set of arguments. */
export function callsWorkflow(...calls: readonly ScriptedToolCall["arguments"][]): ScriptedAnswer {
  return { toolCalls: calls.map((call) => ({ name: "workflow", arguments: call })) };
}

/** An answer without tool calls: the turn ends with it. */
export function says(text: string): ScriptedAnswer {
  return { text };
}

/** The model is at work until somebody stops it. */
export const WORKS_ON: ScriptedAnswer = { holdUntilFile: "/nowhere" };

/** The agent's turn in which it ends its step: the tool call, and a word to the user. */
export const COMPLETES: readonly ScriptedAnswer[] = [
  callsWorkflow({ action: "complete", result: "It is fine." }),
  says("Done."),
];

/** The two answers of the turn in which the model starts a workflow: the tool call, and a word to the user. */
export function startsWorkflow(name: string, input: ScriptedToolCall["arguments"] = {}): readonly ScriptedAnswer[] {
  return [callsWorkflow({ action: "start", name, input }), says("It is started.")];
}
