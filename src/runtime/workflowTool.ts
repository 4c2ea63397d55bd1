import { defineTool } from "@earendil-works/pi-coding-agent";
import { Type } from "typebox";
import type { WorkflowRun as RunRecord } from "../../generated/records.ts";
import type { WorkflowRuntime } from "./workflowRuntime.ts";

const PARAMETERS = Type.Object({
  action: Type.Union([Type.Literal("start"), Type.Literal("status"), Type.Literal("cancel")], {
    description: "start a workflow, look at a run, or cancel the active run",
  }),
  name: Type.Optional(Type.String({ description: "start: the workflow's name" })),
  prompt: Type.Optional(Type.String({ description: "start: what the workflow's step is to do" })),
  runId: Type.Optional(Type.String({ description: "status: the run to look at; the session's latest when left out" })),
  reason: Type.Optional(Type.String({ description: "cancel: why" })),
});

/** The tool by which the agent starts, inspects and cancels workflows. What it throws, Pi shows to the model as a tool error. */
export function workflowTool(
  runtime: WorkflowRuntime,
): ReturnType<typeof defineTool<typeof PARAMETERS, RunRecord | undefined>> {
  return defineTool({
    name: "workflow",
    label: "Workflow",
    description:
      "Runs a workflow of one step. start queues it durably, and the step's prompt arrives as a message of its own; status tells what durable state says of a run; cancel ends the active run and stops this turn.",
    parameters: PARAMETERS,
    // Calls of one message act on one run: they must not overtake each other.
    executionMode: "sequential",
    async execute(_toolCallId, { action, name, prompt, runId, reason }) {
      switch (action) {
        case "start": {
          const run = runtime.start(name, prompt);
          return answer(
            `Started workflow "${run.workflowRef}" as run ${run.runId}. Its step arrives as a message.`,
            run,
          );
        }
        case "status": {
          const run = runtime.status(runId);
          return answer(describe(run), run);
        }
        case "cancel":
          return answer(`Cancelled run ${runtime.cancelByAgent(reason ?? null)}; this turn ends here.`, undefined);
      }
    },
  });
}

function answer(
  text: string,
  details: RunRecord | undefined,
): { content: { type: "text"; text: string }[]; details: RunRecord | undefined } {
  return { content: [{ type: "text", text }], details };
}

function describe(run: RunRecord): string {
  const lines = [
    `run: ${run.runId}`,
    `workflow: ${run.workflowRef}`,
    `status: ${run.status}`,
    `created: ${run.createdAt}`,
    ...(run.finishedAt === null ? [] : [`finished: ${run.finishedAt}`]),
    ...(run.errorCode === null ? [] : [`code: ${run.errorCode}`]),
    ...(run.errorMessage === null ? [] : [`error: ${run.errorMessage}`]),
  ];
  return lines.join("\n");
}
