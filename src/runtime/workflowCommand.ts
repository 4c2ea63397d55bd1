import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { sentenceOf } from "../turns/diagnostics.ts";
import type { WorkflowRuntime } from "./workflowRuntime.ts";

/** What a person can ask of the workflows of a session. */
const VERBS = ["list", "start", "status", "pause", "resume", "cancel"] as const;

type Verb = (typeof VERBS)[number];

/** Registers `/workflow`, by which a person controls runs directly; ending or pausing a run starts no turn. */
export function registerWorkflowCommand(pi: Pick<ExtensionAPI, "registerCommand">, runtime: WorkflowRuntime): void {
  pi.registerCommand("workflow", {
    description: "List, start, look at, pause, resume or cancel the workflows of this session",
    getArgumentCompletions: (prefix) => completions(runtime, prefix),
    handler: async (args, context) => {
      try {
        context.ui.notify(perform(runtime, args.trim()), "info");
      } catch (error) {
        context.ui.notify(sentenceOf(error), "error");
      }
    },
  });
}

/** What can still be completed: while a completion is offered, Pi takes Enter for it and does not run the command. */
function completions(runtime: WorkflowRuntime, prefix: string): { value: string; label: string }[] | null {
  const names = prefix.startsWith("start ") ? usableNames(runtime).map((name) => `start ${name}`) : VERBS;
  const open = names.filter((text) => text.startsWith(prefix) && text !== prefix);
  return open.length === 0 ? null : open.map((text) => ({ value: text, label: text }));
}

function usableNames(runtime: WorkflowRuntime): readonly string[] {
  return runtime.list().flatMap((listed) => (listed.status === "usable" ? [listed.name] : []));
}

function perform(runtime: WorkflowRuntime, line: string): string {
  const [word = "status", ...words] = line === "" ? [] : line.split(/\s+/);
  const rest = words.join(" ");
  switch (verbOf(word)) {
    case "list":
      return usableNames(runtime).join("\n") || "There are no workflows here; write one to .pi/workflows/NAME.json.";
    case "start": {
      const [name = "", ...input] = words;
      return `Started run ${runtime.startByUser(name, parseInput(input.join(" "))).runId}.`;
    }
    case "status": {
      const { runId, workflowRef, status } = runtime.status();
      const next = status === "parked" ? "; /workflow resume lets it go on" : "";
      return `${workflowRef}: ${status} (run ${runId})${next}`;
    }
    case "pause":
      return `Paused run ${runtime.pause()}; /workflow resume lets it go on, /workflow cancel ends it.`;
    case "resume":
      return `Resumed run ${runtime.resume(rest)}.`;
    case "cancel":
      return `Cancelled run ${runtime.cancelByUser()}. The agent is not told.`;
  }
}

function verbOf(word: string): Verb {
  const verb = VERBS.find((known) => known === word);
  if (verb !== undefined) return verb;
  throw new Error(`/workflow ${word} is not known; use one of ${VERBS.join(", ")}.`);
}

function parseInput(text: string): unknown {
  if (text === "") return {};
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`The input after the workflow's name must be JSON: ${sentenceOf(error)}`);
  }
}
