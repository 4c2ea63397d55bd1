import { defineTool } from "@earendil-works/pi-coding-agent";
import { Type } from "typebox";
import type { WorkflowRun as RunRecord } from "../../generated/records.ts";
import { DeferredTurnsError } from "../contracts/errors.ts";
import type { WorkflowRuntime } from "./workflowRuntime.ts";

const ACTIONS = ["list", "start", "status", "complete", "fail", "cancel"] as const;

const PARAMETERS = Type.Object({
  action: Type.Union(
    ACTIONS.map((action) => Type.Literal(action)),
    {
      description:
        "list the workflows, start one, look at a run, complete or fail the step you were asked for, or cancel the active run",
    },
  ),
  name: Type.Optional(Type.String({ description: "start: the workflow's name" })),
  input: Type.Optional(Type.Unknown({ description: "start: the input that the workflow asks for" })),
  runId: Type.Optional(Type.String({ description: "status: the run to look at; the session's latest when left out" })),
  result: Type.Optional(Type.String({ description: "complete: what the step yielded" })),
  reason: Type.Optional(Type.String({ description: "fail, cancel: why" })),
});

type Answer = { readonly text: string; readonly run?: RunRecord };

/** The tool by which the agent works with workflows. What it throws, Pi shows to the model as a tool error. */
export function workflowTool(
  runtime: WorkflowRuntime,
): ReturnType<typeof defineTool<typeof PARAMETERS, RunRecord | undefined>> {
  return defineTool({
    name: "workflow",
    label: "Workflow",
    description:
      "Runs workflows. start queues a run durably, and the prompts of its steps arrive as messages; end each step with complete or fail. status tells what durable state says of a run. fail and cancel end the run and stop this turn.",
    parameters: PARAMETERS,
    // Calls of one message act on one run: they must not overtake each other.
    executionMode: "sequential",
    async execute(_toolCallId, parameters) {
      const { text, run } = perform(runtime, parameters);
      return { content: [{ type: "text", text }], details: run };
    },
  });
}

function perform(runtime: WorkflowRuntime, { action, name, input, runId, result, reason }: ToolParameters): Answer {
  switch (action) {
    case "list":
      return { text: describeDefinitions(runtime) };
    case "start": {
      const run = runtime.start(required("name", name), input);
      return { text: `Started workflow "${run.workflowRef}" as run ${run.runId}. Its steps arrive as messages.`, run };
    }
    case "status": {
      const run = runtime.status(runId);
      return { text: describe(run), run };
    }
    case "complete":
      return { text: `Completed the step of run ${runtime.complete(required("result", result))}.` };
    case "fail":
      return { text: `Failed run ${runtime.fail(required("reason", reason))}; this turn ends here.` };
    case "cancel":
      return { text: `Cancelled run ${runtime.cancelByAgent(reason ?? null)}; this turn ends here.` };
  }
}

interface ToolParameters {
  readonly action: (typeof ACTIONS)[number];
  readonly name?: string | undefined;
  readonly input?: unknown;
  readonly runId?: string | undefined;
  readonly result?: string | undefined;
  readonly reason?: string | undefined;
}

function required(name: string, value: string | undefined): string {
  if (value !== undefined && value.trim() !== "") return value;
  throw new DeferredTurnsError({
    code: "INVALID_ARGUMENT",
    message: `The argument "${name}" is missing.`,
    path: `/${name}`,
  });
}

function describeDefinitions(runtime: WorkflowRuntime): string {
  const lines = runtime
    .list()
    .map((listed) =>
      listed.status === "usable"
        ? `- ${listed.name}${listed.description === undefined ? "" : `: ${listed.description}`}`
        : `- ${listed.path} cannot be used: ${listed.reason}`,
    );
  return lines.length === 0 ? "There are no workflows here; write one to .pi/workflows/NAME.json." : lines.join("\n");
}

function describe(run: RunRecord): string {
  return [
    `run: ${run.runId}`,
    `workflow: ${run.workflowRef}`,
    `status: ${run.status}`,
    `created: ${run.createdAt}`,
    ...(run.finishedAt === null ? [] : [`finished: ${run.finishedAt}`]),
    ...(run.errorCode === null ? [] : [`code: ${run.errorCode}`]),
    ...(run.errorMessage === null ? [] : [`error: ${run.errorMessage}`]),
  ].join("\n");
}
