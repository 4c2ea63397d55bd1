import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { sha256 } from "../contracts/sha256.ts";

/** The folder of all controllers' stores, unless PI_WORKFLOWS_CONTROLLER_DIR names another. */
function controllersFolder(environment: NodeJS.ProcessEnv): string {
  return environment["PI_WORKFLOWS_CONTROLLER_DIR"] ?? join(homedir(), ".pi", "agent", "workflows", "controllers");
}

/**
 * The path of a project's controller store. Every process that works on the project finds the same one, by whatever
 * link it came to the project. Throws what the file system says when the project is not there.
 */
export function projectStorePath(project: string, environment: NodeJS.ProcessEnv = process.env): string {
  const key = sha256(realpathSync(project)).slice(0, 24);
  return join(controllersFolder(environment), "projects", key, "controller.sqlite");
}
