import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const FOLDER = fileURLToPath(new URL("..", import.meta.url));
const LOCK = join(FOLDER, "package-lock.json");
/** The lock file of what is installed. npm keeps one of its own there, but writes it in another form. */
const INSTALLED = join(FOLDER, "node_modules", ".bench-lock.json");

/** Installs what the benchmark compares with, unless just that is installed already. Throws when npm fails. */
export function installPeers(): void {
  if (existsSync(INSTALLED) && readFileSync(INSTALLED, "utf8") === readFileSync(LOCK, "utf8")) return;
  const { status } = spawnSync("npm", ["ci", "--no-audit", "--no-fund"], {
    cwd: FOLDER,
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (status !== 0) throw new Error(`npm ci failed in ${FOLDER}; what it said stands above.`);
  copyFileSync(LOCK, INSTALLED);
}
