// The command `deferred-turns`.
import { Command, CommanderError } from "commander";
import { DeferredTurnsError } from "../contracts/errors.ts";
import { CommandFailure } from "./commandFailure.ts";
import { addConformance } from "./commands/conformance.ts";
import { addContract } from "./commands/contract.ts";
import { addInterrupt } from "./commands/interrupt.ts";

const COMMANDS: readonly ((program: Command) => void)[] = [addInterrupt, addConformance, addContract];

/** 0 done, 1 refused or failed, 2 misused. */
export type ExitStatus = 0 | 1 | 2;

/** Runs the command with its arguments. A refusal is a sentence on stderr; what nobody foresaw is thrown. */
export async function main(args: readonly string[]): Promise<ExitStatus> {
  try {
    await program().parseAsync(args, { from: "user" });
    return 0;
  } catch (error) {
    // Commander has written its sentence, or the help that was asked for, already.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    console.error(refusal(error));
    return 1;
  }
}

function program(): Command {
  const command = new Command("deferred-turns")
    .usage("COMMAND [options]")
    .description("Looks after deferred turns and their contracts from a terminal.")
    .helpOption("-h, --help", "show how a command is used, with examples")
    .helpCommand(false)
    .showHelpAfterError()
    .exitOverride()
    .addHelpText("after", "\nExit status: 0 done, 1 refused or failed, 2 misused.");
  for (const add of COMMANDS) add(command);
  return command;
}

function refusal(error: unknown): string {
  if (error instanceof CommandFailure) return error.message;
  if (error instanceof DeferredTurnsError) return `${error.message} (${error.code})`;
  throw error;
}
