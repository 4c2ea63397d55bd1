import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** The root of the repository. */
export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Builds the package as it is published, and returns the address of its library. */
export function builtLibrary(): string {
  execFileSync("npm", ["run", "--silent", "build"], { cwd: ROOT, stdio: ["ignore", "pipe", "inherit"] });
  return pathToFileURL(join(ROOT, "dist", "index.js")).href;
}
