import { randomUUID } from "node:crypto";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { DeferredTurnsError } from "../contracts/errors.ts";
import { bindDeferredTurns } from "../pi/bindDeferredTurns.ts";
import type { BoundSession } from "../pi/boundSession.ts";
import { everyUnreferenced } from "../pi/timer.ts";
import { registerWorkflowCommand } from "./workflowCommand.ts";
import { DEFAULT_QUEUE_SETTINGS, WorkflowRuntime } from "./workflowRuntime.ts";
import { workflowTool } from "./workflowTool.ts";

/** The Pi extension: workflows whose interruptions lead to exactly one later agent turn. */
// biome-ignore lint/style/noDefaultExport: Pi loads an extension by its default export.
export default function workflowExtension(pi: ExtensionAPI): void {
  const turns = bindDeferredTurns(pi, {
    onStart: () => runtime.sessionStarted(),
    onSettled: (cause) => runtime.settled(cause),
    onShutdown: () => runtime.sessionClosing(),
  });
  const session = (): BoundSession => {
    if (turns.session !== undefined) return turns.session;
    throw new DeferredTurnsError({
      code: "INVALID_ARGUMENT",
      message: "Workflows run in a session, and none is open.",
    });
  };
  const runtime = new WorkflowRuntime({
    session,
    settings: DEFAULT_QUEUE_SETTINGS,
    now: Date.now,
    every: everyUnreferenced,
    runnerId: `pi-${process.pid}-${randomUUID().slice(0, 8)}`,
  });
  pi.on("before_agent_start", (event) => {
    if (event.messageType === "custom") runtime.turnStarting(event.message.details);
  });
  pi.registerTool(workflowTool(runtime));
  registerWorkflowCommand(pi, runtime);
}
