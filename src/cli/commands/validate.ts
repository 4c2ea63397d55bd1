import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Argument, type Command } from "commander";
import type { ContractName } from "../../contracts/contractText.ts";
import { CONTRACT_NAMES, contractTextViolations, type TextViolation } from "../../contracts/contractTextViolations.ts";
import { CommandFailure } from "../commandFailure.ts";
import { examplesText } from "../examples.ts";
import { jsonText } from "../output/json.ts";
import { plural, printable } from "../output/words.ts";
import type { Terminal } from "../terminal.ts";

const STDIN = "-";

/** `deferred-turns validate CONTRACT FILE`: whether a document keeps a contract. */
export function addValidate(program: Command, terminal: Terminal): void {
  program
    .command("validate")
    .summary("check a document against a contract")
    .description(
      "Reads a JSON document as every program of this package reads it: besides the JSON Schema it must be UTF-8, of " +
        "bounded length and without a field that is given twice. Each violation comes with a JSON pointer to its place.",
    )
    .addArgument(new Argument("<CONTRACT>", "the contract").choices(CONTRACT_NAMES))
    .argument("[FILE]", "the document; stdin when left out or -", STDIN)
    .option("--json", "write JSON")
    .addHelpText(
      "after",
      examplesText([
        { line: "deferred-turns validate workflow-definition.v1 hello.json", does: "a workflow" },
        { line: "jq .details message.json | deferred-turns validate deferred-turn-message.v1", does: "from a pipe" },
      ]),
    )
    .action((contract: ContractName, file: string, options: { readonly json?: boolean }) =>
      validate({ contract, file, json: options.json === true }, terminal),
    );
}

interface Question {
  readonly contract: ContractName;
  readonly file: string;
  readonly json: boolean;
}

async function validate({ contract, file, json }: Question, terminal: Terminal): Promise<void> {
  const violations = contractTextViolations(contract, await documentIn(file, terminal));
  const isValid = violations.length === 0;
  if (json) {
    terminal.write(jsonText({ format: "deferred-turns-validate.v1", contract, file, valid: isValid, violations }));
  } else if (isValid) {
    terminal.write(`${nameOf(file)} is valid: ${contract}.`);
  } else {
    for (const violation of violations) terminal.write(violationText(violation));
  }
  if (!isValid)
    throw new CommandFailure(`${nameOf(file)} breaks ${contract}: ${plural(violations.length, "violation")}.`);
}

async function documentIn(file: string, terminal: Terminal): Promise<Uint8Array> {
  if (file === STDIN) return terminal.readInput();
  try {
    return readFileSync(resolve(terminal.folder, file));
  } catch (error) {
    throw new CommandFailure(`The document cannot be read: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

function nameOf(file: string): string {
  return file === STDIN ? "The document" : file;
}

function violationText({ path, message }: TextViolation): string {
  // The sentence of a schema's rule begins with the pointer already.
  return printable(path === "" || message.startsWith(path) ? message : `${path}: ${message}`);
}
