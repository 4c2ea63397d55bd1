import { existsSync, readFileSync, realpathSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { type Finding, ok } from "./finding.ts";

const OLDEST_NODE = "22.19.0";
const OLDEST_PI = "1.3.0";
const PI_PACKAGE = "@earendil-works/pi-coding-agent";

/** Whether this Node runs the package. */
export function checkNode(version: string): Finding {
  if (isAtLeast(version, OLDEST_NODE)) return ok("node", `Node ${version}.`);
  return {
    check: "node",
    status: "problem",
    message: `Node ${version} is older than ${OLDEST_NODE}.`,
    action: `Install Node ${OLDEST_NODE} or newer, and start Pi with it.`,
  };
}

/** Whether the native module of SQLite works, which is loaded for this. */
export async function checkSqlite(): Promise<Finding> {
  try {
    const { sqliteVersion } = await import("../../store/inspection/sqliteVersion.ts");
    return ok("sqlite", `SQLite ${sqliteVersion()}, in better-sqlite3.`);
  } catch (error) {
    return {
      check: "sqlite",
      status: "problem",
      message: `The native module better-sqlite3 does not work here: ${error instanceof Error ? error.message : String(error)}`,
      action: 'Install the package again on this machine, with this Node: "npm ci", or "pi install" once more.',
    };
  }
}

/** Which Pi would be started, and whether it is new enough. */
export function checkPi(environment: NodeJS.ProcessEnv): Finding {
  const version = piVersion(environment);
  if (version === undefined) {
    return { check: "pi", status: "note", message: "No Pi was found in PATH, so that its version is unknown." };
  }
  if (isAtLeast(version, OLDEST_PI)) return ok("pi", `Pi ${version}.`);
  return {
    check: "pi",
    status: "problem",
    message: `Pi ${version} is older than ${OLDEST_PI}.`,
    action: `Install Pi ${OLDEST_PI} or newer: npm install --global ${PI_PACKAGE}.`,
  };
}

/** The version of the package that the command `pi` belongs to. */
function piVersion({ PATH = "" }: NodeJS.ProcessEnv): string | undefined {
  const command = PATH.split(delimiter)
    .map((folder) => join(folder, "pi"))
    .find((path) => existsSync(path));
  return command === undefined ? undefined : packageVersion(dirname(realpathSync(command)));
}

function packageVersion(folder: string): string | undefined {
  const file = join(folder, "package.json");
  if (existsSync(file)) {
    const { name, version } = JSON.parse(readFileSync(file, "utf8")) as Readonly<Record<string, unknown>>;
    if (name === PI_PACKAGE) return String(version);
  }
  return dirname(folder) === folder ? undefined : packageVersion(dirname(folder));
}

/** Compares the numbers of two versions, and leaves out what follows them. */
function isAtLeast(version: string, oldest: string): boolean {
  const [found, needed] = [version, oldest].map((each) => each.split(/[.+-]/).map(Number));
  for (const place of [0, 1, 2]) {
    const difference = (found?.[place] ?? 0) - (needed?.[place] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}
