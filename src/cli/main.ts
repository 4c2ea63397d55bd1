// The command `deferred-turns`.
import { Command, CommanderError } from "commander";
import { DeferredTurnsError } from "../contracts/errors.ts";
import { CommandFailure } from "./commandFailure.ts";
import { addCompletion } from "./commands/completion.ts";
import { addConformance } from "./commands/conformance.ts";
import { addContract } from "./commands/contract.ts";
import { addDoctor } from "./commands/doctor.ts";
import { addId } from "./commands/id.ts";
import { addInterrupt } from "./commands/interrupt.ts";
import { addList } from "./commands/list.ts";
import { addShow } from "./commands/show.ts";
import { addValidate } from "./commands/validate.ts";
import { addWatch } from "./commands/watch.ts";
import { examplesText } from "./examples.ts";
import { painted } from "./output/words.ts";
import { packageVersion } from "./packageRoot.ts";
import { processTerminal, type Terminal } from "./terminal.ts";

const COMMANDS: readonly ((program: Command, terminal: Terminal) => void)[] = [
  addList,
  addShow,
  addWatch,
  addDoctor,
  addInterrupt,
  addValidate,
  addId,
  addConformance,
  addContract,
  addCompletion,
];

/** 0 done, 1 refused, failed, or problems found, 2 misused. */
export type ExitStatus = 0 | 1 | 2;

/** Runs the command with its arguments. A refusal is a sentence on stderr; what nobody foresaw is thrown. */
export async function main(args: readonly string[], terminal: Terminal = processTerminal()): Promise<ExitStatus> {
  try {
    await program(terminal).parseAsync(args, { from: "user" });
    return 0;
  } catch (error) {
    // Commander has written its sentence, or the help that was asked for, already.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    terminal.warn(refusal(error));
    return 1;
  }
}

function program(terminal: Terminal): Command {
  const command = new Command("deferred-turns")
    .usage("COMMAND [options]")
    .description("Looks after deferred turns and their contracts from a terminal.")
    .helpOption("-h, --help", "show how a command is used, with examples")
    .helpCommand("help [COMMAND]", "show how a command is used")
    .version(packageVersion(), "-V, --version", "show the version of this package")
    .showHelpAfterError()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.write(text.trimEnd()),
      writeErr: (text) => terminal.warn(text.trimEnd()),
      getOutHelpWidth: () => terminal.columns ?? 100,
      getErrHelpWidth: () => terminal.columns ?? 100,
      getOutHasColors: () => terminal.hasColours,
      getErrHasColors: () => false,
    })
    .configureHelp({ styleTitle: (title) => painted("bold", title, { hasColours: true }) })
    .addHelpText(
      "after",
      examplesText([
        { line: "deferred-turns list", does: "the turns that are owed to this project's sessions" },
        { line: "deferred-turns show 3f2a9c", does: "what happened to one of them, and why" },
        { line: "deferred-turns doctor", does: "what is wrong, and what to do" },
        { line: "deferred-turns list --help", does: "how one command is used" },
      ]),
    )
    .addHelpText("after", "\nExit status: 0 done, 1 refused, failed, or problems found, 2 misused.");
  for (const add of COMMANDS) add(command, terminal);
  return command;
}

function refusal(error: unknown): string {
  if (error instanceof CommandFailure) return error.message;
  if (error instanceof DeferredTurnsError) return `${error.message} (${error.code})`;
  throw error;
}
