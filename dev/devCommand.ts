// What the commands of `npm run` have in common: how they read their arguments, show their help, and refuse a mistake.
import { Command, CommanderError, InvalidArgumentError } from "commander";
import { type Example, examplesText } from "../src/cli/examples.ts";

/** What the help of a command says beside its options. */
export interface DevCommandText {
  /** How the command is started, such as `npm run fuzz`. */
  readonly call: string;
  /** What it does, in a sentence or two. */
  readonly does: string;
  /** Two or three uses, where it has options. */
  readonly examples: readonly Example[];
}

/** A command without options yet. What is wrong with its arguments it throws, as a CommanderError. */
export function devCommand({ call, does, examples }: DevCommandText): Command {
  return new Command(`${call} --`)
    .description(does)
    .helpOption("--help", "show this")
    .exitOverride()
    .configureOutput({
      // `runDevCommand` writes what is wrong, in a sentence.
      outputError: () => undefined,
      // The console minds no reader that has seen enough, such as `head`.
      writeOut: (text) => console.log(text.trimEnd()),
      getOutHelpWidth: () => process.stdout.columns ?? 120,
    })
    .addHelpText("after", examplesText(examples))
    .addHelpText("after", "\nExit status: 0 done, 1 failed or found what is wrong, 2 misused.");
}

/** What a command does with its options. It returns the status to exit with; `command.error(…)` refuses an argument. */
export type DevCommandMain<Options> = (options: Options, command: Command) => number | Promise<number>;

/** Runs a command with this process's arguments. Those that make no sense end in one sentence and exit status 2. */
export async function runDevCommand<Options>(command: Command, main: DevCommandMain<Options>): Promise<void> {
  try {
    command.parse();
    process.exitCode = await main(command.opts() as Options, command);
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // With status 0 it has shown the help that was asked for.
    if (error.exitCode === 0) return;
    process.stderr.write(`${misuseText(error, command)}\n`);
    process.exitCode = 2;
  }
}

/** Which whole numbers an option takes. */
export interface Bounds {
  readonly from: number;
  /** No bound by default. */
  readonly to?: number;
}

/** Reads a whole number. */
export function wholeNumber({ from, to }: Bounds): (text: string) => number {
  return (text) => {
    const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (number >= from && number <= (to ?? Number.MAX_SAFE_INTEGER)) return number;
    const range = to === undefined ? `of at least ${from}` : `from ${from} to ${to}`;
    throw new InvalidArgumentError(`Give a whole number ${range}.`);
  };
}

/** Reads names with commas between them. An unknown one is refused with the words of `hint`, which say what is known. */
export function namesAmong(known: readonly string[], hint: string): (text: string) => readonly string[] {
  return (text) => {
    const names = text.split(",").filter((name) => name !== "");
    const unknown = names.find((name) => !known.includes(name));
    if (names.length > 0 && unknown === undefined) return names;
    throw new InvalidArgumentError(`There is no ${JSON.stringify(unknown ?? "")}; ${hint}.`);
  };
}

/** Reads an option that may be given several times. */
export function collect(text: string, before: readonly string[]): readonly string[] {
  return [...before, text];
}

/** Their message says what to do; that of all others does not. */
const HELPFUL_ERRORS = ["commander.error", "commander.invalidArgument"];

/** Commander's words as one sentence that says what to do. */
function misuseText({ code, message }: CommanderError, command: Command): string {
  const words = message
    .replace(/^error: /, "")
    .replaceAll(/\s+/g, " ")
    .replace(/(is invalid|too many arguments)\. (.)/, (_, what, first) => `${what}: ${first.toLowerCase()}`)
    .replace("(Did you", "(did you");
  const sentence = `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
  if (HELPFUL_ERRORS.includes(code)) return sentence;
  return `${sentence.replace(/\.$/, "")}; ${command.name()} --help shows what it takes.`;
}
