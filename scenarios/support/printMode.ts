import type { SessionEntry } from "@earendil-works/pi-coding-agent";
import { type JsonRecord, parseJsonLines } from "./jsonLines.ts";
import type { ModelCall } from "./modelCalls.ts";
import { type PiRun, piProcess } from "./piCli.ts";
import { type ProcessEnd, ProcessGroup } from "./processGroup.ts";
import { newestSessionEntries, readSessionEntries } from "./sessionFile.ts";

/** One invocation of `pi` that answers its prompts, takes every turn that follows from them, and exits. */
export interface OneShotRun extends PiRun {
  /** The prompts, one turn each. */
  readonly prompts: readonly string[];
}

/** What such an invocation left. */
export interface OneShotResult extends ProcessEnd {
  readonly calls: readonly ModelCall[];
  /** The session file's entries. */
  readonly entries: readonly SessionEntry[];
}

/** Runs `pi --print`. */
export async function runPrintMode(run: OneShotRun): Promise<OneShotResult> {
  return runOnce(run, ["--print"]);
}

/** Runs `pi --mode json`; `events` is its standard output. */
export async function runJsonMode(
  run: OneShotRun,
): Promise<OneShotResult & { readonly events: readonly JsonRecord[] }> {
  const result = await runOnce(run, ["--mode", "json"]);
  return { ...result, events: parseJsonLines(result.stdout) };
}

async function runOnce(run: OneShotRun, mode: readonly string[]): Promise<OneShotResult> {
  const end = await new ProcessGroup(piProcess(run, [...mode, "--", ...run.prompts])).ended;
  const entries =
    run.resume === undefined ? newestSessionEntries(run.world.sessionDir) : readSessionEntries(run.resume);
  return { ...end, calls: run.script.calls(), entries };
}
