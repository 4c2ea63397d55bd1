import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { sentenceOf } from "../turns/diagnostics.ts";
import type { WorkflowRuntime } from "./workflowRuntime.ts";

/** What a person can ask of the runs of a session. */
const VERBS = ["status", "resume", "cancel"] as const;

type Verb = (typeof VERBS)[number];

/** Registers `/workflow`, by which a person controls runs directly; what a person does starts no turn by itself. */
export function registerWorkflowCommand(pi: Pick<ExtensionAPI, "registerCommand">, runtime: WorkflowRuntime): void {
  pi.registerCommand("workflow", {
    description: "Look at, resume or cancel the workflow of this session",
    getArgumentCompletions: (prefix) =>
      VERBS.filter((verb) => verb.startsWith(prefix)).map((verb) => ({ value: verb, label: verb })),
    handler: async (args, context) => {
      try {
        context.ui.notify(perform(runtime, verbOf(args)), "info");
      } catch (error) {
        context.ui.notify(sentenceOf(error), "error");
      }
    },
  });
}

function verbOf(args: string): Verb {
  const word = args.trim() === "" ? "status" : args.trim();
  const verb = VERBS.find((known) => known === word);
  if (verb === undefined)
    throw new Error(`/workflow ${word} is not known; use /workflow ${VERBS.join(", /workflow ")}.`);
  return verb;
}

function perform(runtime: WorkflowRuntime, verb: Verb): string {
  switch (verb) {
    case "status": {
      const { runId, workflowRef, status } = runtime.status();
      return `${workflowRef}: ${status} (run ${runId})`;
    }
    case "resume":
      return `Resumed run ${runtime.resume()}.`;
    case "cancel":
      return `Cancelled run ${runtime.cancelByUser()}. The agent is not told.`;
  }
}
