import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { type ExtensionAPI, type ExtensionContext, getAgentDir } from "@earendil-works/pi-coding-agent";
import { afterUnreferenced, everyUnreferenced } from "../pi/timer.ts";
import { bindWorkflows } from "./bindWorkflows.ts";
import { startCommand } from "./commandStep.ts";
import { runtimeSettings } from "./settings.ts";
import type { Workplace } from "./workplace.ts";

/** The Pi extension: workflows whose interruptions lead to exactly one later agent turn. */
// biome-ignore lint/style/noDefaultExport: Pi loads an extension by its default export.
export default function workflowExtension(pi: ExtensionAPI): void {
  bindWorkflows(pi, {
    settings: runtimeSettings(process.env),
    now: Date.now,
    every: everyUnreferenced,
    after: afterUnreferenced,
    newId: randomUUID,
    startCommand,
    runnerId: `pi-${process.pid}-${randomUUID().slice(0, 8)}`,
    workplaceOf,
  });
}

/** Workflows run commands, so none are found in a project that the user does not trust. */
function workplaceOf(context: ExtensionContext): Workplace {
  const { cwd } = context;
  if (!context.isProjectTrusted()) return { cwd, trusted: false, folders: {} };
  return {
    cwd,
    trusted: true,
    folders: { project: join(cwd, ".pi", "workflows"), projectRoot: cwd, user: join(getAgentDir(), "workflows") },
  };
}
