import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type ProcessEnd, ProcessGroup, type ProcessOptions } from "./processGroup.ts";
import { SCRIPTED_MODEL_ID, SCRIPTED_PROVIDER_ID } from "./scriptedModel.ts";
import type { ScriptFiles } from "./scriptFiles.ts";
import type { World } from "./world.ts";

/** What every way of running the `pi` command needs. */
export interface PiRun {
  readonly world: World;
  readonly script: ScriptFiles;
  /** Extension files or package directories, as `-e` takes them. No others are loaded, unless `installed` is set. */
  readonly extensions: readonly string[];
  /** Also loads what `pi install` has put into the world's settings, and Pi's own extensions. */
  readonly installed?: boolean;
  /** A session file to continue. Default: a new session. */
  readonly resume?: string;
  /** Variables on top of the world's. */
  readonly env?: Readonly<Record<string, string>>;
  /** The longest life of the process, in milliseconds. */
  readonly deadlineMs?: number;
}

const MODEL_EXTENSION = fileURLToPath(new URL("./scriptedModelExtension.ts", import.meta.url));

/** The installed `pi` command, as the package's own `bin` names it. */
export function piExecutable(): string {
  let directory = dirname(fileURLToPath(import.meta.resolve("@earendil-works/pi-coding-agent")));
  while (!existsSync(join(directory, "package.json"))) directory = dirname(directory);
  const manifest = JSON.parse(readFileSync(join(directory, "package.json"), "utf8")) as { bin: { pi: string } };
  return join(directory, manifest.bin.pi);
}

/** Runs a command of `pi` that starts no session, such as `install`, in the world. */
export async function runPiCommand(world: World, args: readonly string[]): Promise<ProcessEnd> {
  const command = { command: process.execPath, args: [piExecutable(), ...args], cwd: world.projectDir, env: world.env };
  return new ProcessGroup(command).ended;
}

/** The `pi` command under this very Node, with the scripted model and nothing but the given extensions. */
export function piProcess(run: PiRun, args: readonly string[]): ProcessOptions {
  return {
    command: process.execPath,
    args: [piExecutable(), ...isolatingArguments(run), ...args],
    cwd: run.world.projectDir,
    env: { ...run.world.env, ...run.script.env, ...run.env },
    ...(run.deadlineMs === undefined ? {} : { deadlineMs: run.deadlineMs }),
  };
}

function isolatingArguments(run: PiRun): readonly string[] {
  return [
    ...(run.installed === true ? [] : ["--no-extensions"]),
    ...[MODEL_EXTENSION, ...run.extensions].flatMap((extension) => ["-e", extension]),
    "--no-skills",
    "--no-prompt-templates",
    "--no-context-files",
    "--model",
    `${SCRIPTED_PROVIDER_ID}/${SCRIPTED_MODEL_ID}`,
    "--session-dir",
    run.world.sessionDir,
    ...(run.resume === undefined ? [] : ["--session", run.resume]),
  ];
}
