import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { type ExtensionAPI, type ExtensionContext, getAgentDir } from "@earendil-works/pi-coding-agent";
import { DeferredTurnsError } from "../contracts/errors.ts";
import { bindDeferredTurns } from "../pi/bindDeferredTurns.ts";
import type { BoundSession } from "../pi/boundSession.ts";
import { afterUnreferenced, everyUnreferenced } from "../pi/timer.ts";
import { runtimeSettings } from "./settings.ts";
import { registerWorkflowCommand } from "./workflowCommand.ts";
import { WorkflowRuntime, type Workplace } from "./workflowRuntime.ts";
import { workflowTool } from "./workflowTool.ts";

/** The Pi extension: workflows whose interruptions lead to exactly one later agent turn. */
// biome-ignore lint/style/noDefaultExport: Pi loads an extension by its default export.
export default function workflowExtension(pi: ExtensionAPI): void {
  const settings = runtimeSettings(process.env);
  const turns = bindDeferredTurns(pi, {
    settings: settings.turns,
    onStart: (_session, context) => runtime.sessionStarted(workplaceOf(context)),
    onPass: () => runtime.pass(),
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
    settings,
    now: Date.now,
    every: everyUnreferenced,
    after: afterUnreferenced,
    runnerId: `pi-${process.pid}-${randomUUID().slice(0, 8)}`,
  });
  pi.on("before_agent_start", (event) => {
    if (event.messageType === "custom") runtime.turnStarting(event.message.details);
  });
  pi.registerTool(workflowTool(runtime));
  registerWorkflowCommand(pi, runtime);
}

/** Workflows run commands, so none are found in a project that the user does not trust. */
function workplaceOf(context: ExtensionContext): Workplace {
  const { cwd } = context;
  if (!context.isProjectTrusted()) return { cwd, trusted: false, folders: {} };
  return {
    cwd,
    trusted: true,
    folders: { project: join(cwd, ".pi", "workflows"), user: join(getAgentDir(), "workflows") },
  };
}
