import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { DeferredTurnsError } from "../contracts/errors.ts";
import { bindDeferredTurns, type DeferredTurns, type DeferredTurnsOptions } from "../pi/bindDeferredTurns.ts";
import type { BoundSession } from "../pi/boundSession.ts";
import { registerMessageRenderers } from "./screen/messageRenderers.ts";
import { StatusItem } from "./screen/statusItem.ts";
import { registerTurnsCommand } from "./screen/turnsCommand.ts";
import type { RuntimeSettings } from "./settings.ts";
import { registerWorkflowCommand } from "./workflowCommand.ts";
import { WorkflowRuntime, type WorkflowRuntimeOptions } from "./workflowRuntime.ts";
import { workflowTool } from "./workflowTool.ts";
import type { Workplace } from "./workplace.ts";

/** What the extension uses of Pi. */
export type WorkflowHost = Pick<
  ExtensionAPI,
  "on" | "sendMessage" | "registerTool" | "registerCommand" | "registerMessageRenderer"
>;

/** The outside world of the extension: its clock and timers, its ids, its commands, its store and its files. */
export interface WorkflowParts
  extends Pick<DeferredTurnsOptions, "openStore" | "memory">,
    Pick<WorkflowRuntimeOptions, "now" | "every" | "after" | "newId" | "startCommand" | "runnerId"> {
  readonly settings: RuntimeSettings;
  /** Where a session works, and the folders in which its workflows are found. */
  readonly workplaceOf: (context: ExtensionContext) => Workplace;
}

/**
 * Binds the guarantee and the workflow runtime to Pi: its events, the tool of the agent, the commands of the person and what
 * they see.
 */
export function bindWorkflows(pi: WorkflowHost, parts: WorkflowParts): DeferredTurns {
  const { settings, now, every, newId, workplaceOf } = parts;
  const status = new StatusItem();
  const turns = bindDeferredTurns(pi, {
    now,
    every,
    newClaimToken: newId,
    ...(parts.openStore && { openStore: parts.openStore }),
    ...(parts.memory && { memory: parts.memory }),
    settings: settings.turns,
    onStart: (_session, context) => runtime.sessionStarted(workplaceOf(context)),
    onPass: () => runtime.pass(),
    onPassed: (session, context) => status.passed(session, context),
    onSettled: (cause) => runtime.settled(cause),
    onShutdown: (_session, context) => {
      runtime.sessionClosing();
      status.closed(context);
    },
  });
  const session = (): BoundSession => {
    if (turns.session !== undefined) return turns.session;
    throw new DeferredTurnsError({
      code: "INVALID_ARGUMENT",
      message: "Workflows run in a session, and none is open.",
    });
  };
  const runtime = new WorkflowRuntime({ ...parts, session });
  pi.on("before_agent_start", (event) => {
    if (event.messageType === "custom") runtime.turnStarting(event.message.details);
  });
  pi.registerTool(workflowTool(runtime));
  registerWorkflowCommand(pi, runtime);
  registerTurnsCommand(pi, { session: () => turns.session, diagnostics: () => turns.diagnostics.recent(), now });
  registerMessageRenderers(pi);
  return turns;
}
