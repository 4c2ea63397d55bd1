import { fileURLToPath } from "node:url";
import { ProcessGroup } from "./processGroup.ts";
import type { World } from "./world.ts";

const COMMAND = fileURLToPath(new URL("../../src/cli/entry.ts", import.meta.url));

/** Uses `deferred-turns interrupt`, in a process of its own. Throws what it says when it refuses. */
export async function interrupt(world: World, runId: string, reason: string): Promise<void> {
  const args = [COMMAND, "interrupt", runId, "--reason", reason, "--project", world.projectDir];
  const { env, projectDir: cwd } = world;
  const { status, stderr } = await new ProcessGroup({ command: process.execPath, args, cwd, env }).ended;
  if (status !== 0) throw new Error(`deferred-turns interrupt ended with status ${status}: ${stderr}`);
}
