// `npm run pi`: real Pi in a temporary project, with this extension, three workflows and an offline model that obeys.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { devCommand, runDevCommand } from "../../dev/devCommand.ts";
import { PACKAGE } from "../../scenarios/support/extension.ts";
import { piExecutable } from "../../scenarios/support/piCli.ts";
import { SCRIPTED_MODEL_ID, SCRIPTED_PROVIDER_ID } from "../../scenarios/support/scriptedModel.ts";
import { createWorld, type World } from "../../scenarios/support/world.ts";

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Pi's status becomes that of the command. */
async function main(ofPi: readonly string[]): Promise<number> {
  const world = createWorld();
  try {
    return play(world, ofPi);
  } finally {
    await world.dispose();
  }
}

function play(world: World, ofPi: readonly string[]): number {
  const workflows = join(world.projectDir, ".pi", "workflows");
  mkdirSync(workflows, { recursive: true });
  cpSync(here("workflows"), workflows, { recursive: true });
  // Inside Pi, `!!deferred-turns list` is this checkout's command.
  const commands = join(world.root, "commands");
  mkdirSync(commands);
  symlinkSync(join(PACKAGE, "bin/deferred-turns.mjs"), join(commands, "deferred-turns"));
  const environment = {
    ...world.env,
    // Where `show` finds the session, too.
    PI_CODING_AGENT_SESSION_DIR: world.sessionDir,
    PATH: [commands, world.env["PATH"]].join(delimiter),
    TERM: process.env["TERM"] ?? "xterm-256color",
  };
  console.log(`The project is ${world.projectDir}. Type "help" to see what the offline model understands.`);
  const { status } = spawnSync(
    process.execPath,
    [
      piExecutable(),
      "--no-extensions",
      ...["-e", here("typedModel.ts"), "-e", PACKAGE],
      ...["--model", `${SCRIPTED_PROVIDER_ID}/${SCRIPTED_MODEL_ID}`],
      ...ofPi,
    ],
    { cwd: world.projectDir, env: environment, stdio: "inherit" },
  );
  return status ?? 1;
}

const command = devCommand({
  call: "npm run pi",
  does: "Opens real Pi in a temporary project with this extension, three workflows and an offline model that obeys.",
  examples: [
    { line: "npm run pi", does: 'type "help" to see what the model understands' },
    { line: "npm run pi -- -- --help", does: "what Pi itself takes" },
  ],
})
  .argument("[ARGUMENTS...]", "what Pi is started with, too; options of Pi may stand here")
  .allowUnknownOption();

await runDevCommand(command, (_, { args }) => main(args));
