import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { FileCallLog, type ModelCall } from "./modelCalls.ts";
import type { ScriptedAnswer } from "./scriptedModel.ts";
import type { World } from "./world.ts";

/** The environment variable that names the script, a JSON array of answers. */
export const SCRIPT_VARIABLE = "SCRIPTED_MODEL_SCRIPT";
/** The environment variable that names the log of calls, JSON lines. */
export const CALL_LOG_VARIABLE = "SCRIPTED_MODEL_CALLS";

/** A script written down for a Pi process, and what the model was asked so far. */
export interface ScriptFiles {
  readonly env: Readonly<Record<string, string>>;
  calls(): readonly ModelCall[];
}

/** Writes `steps` into the world. Processes that share the result share one place in the script. */
export function writeScript(world: World, steps: readonly ScriptedAnswer[]): ScriptFiles {
  const name = join(world.root, `script-${randomUUID()}`);
  const log = new FileCallLog(`${name}.calls.jsonl`);
  writeFileSync(`${name}.json`, `${JSON.stringify(steps, undefined, 2)}\n`);
  return {
    env: { [SCRIPT_VARIABLE]: `${name}.json`, [CALL_LOG_VARIABLE]: `${name}.calls.jsonl` },
    calls: () => log.read(),
  };
}
