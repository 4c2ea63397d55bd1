import { type Command, Option } from "commander";
import { ContractDiffFailure } from "../../contractDiff/contractDiffFailure.ts";
import type { ContractDiff } from "../../contractDiff/report/contractDiff.ts";
import { jsonReport } from "../../contractDiff/report/jsonReport.ts";
import { markdownReport } from "../../contractDiff/report/markdownReport.ts";
import { textReport } from "../../contractDiff/report/textReport.ts";
import { type SidesOptions, sidesOf } from "../../contractDiff/sides/sidesOf.ts";
import { CommandFailure } from "../commandFailure.ts";
import { examplesText } from "../examples.ts";
import type { Terminal } from "../terminal.ts";

interface Options {
  readonly git?: boolean;
  readonly markdown?: boolean;
  readonly json?: boolean;
}

/** `deferred-turns contract diff OLD NEW`: says whether a change of the contracts breaks somebody, and proves it. */
export function addContract(program: Command, terminal: Terminal): void {
  const contract = program.command("contract").summary("review a change of the contracts");
  contract.helpCommand(false).description("Looks at two states of the contracts.");
  contract.addHelpText(
    "after",
    examplesText([{ line: "deferred-turns contract diff --git main", does: "what changed" }]),
  );
  contract
    .command("diff")
    .summary("say whether a change of the contracts breaks somebody")
    .description(
      "Compares JSON Schemas and the Prisma model of the store. For each change it says what happens to old documents, to " +
        "old programs that write or read, and to rows already stored, and shows a document, statement or store that " +
        "proves it. OLD and NEW are files, or folders with schemas/ and prisma/.",
    )
    .argument("<OLD>", "a file or folder, or with --git a revision")
    .argument("[NEW]", "a file or folder, or with --git a revision; with --git the current folder when left out")
    .option("--git", "compare revisions of the repository in the current folder")
    .addOption(new Option("--markdown", "write Markdown, for a review comment").conflicts("json"))
    .option("--json", "write JSON")
    .addHelpText(
      "after",
      examplesText([
        { line: "deferred-turns contract diff old/schemas schemas", does: "two folders" },
        { line: "deferred-turns contract diff --git main", does: "what this working tree changes" },
        { line: "deferred-turns contract diff --git v1 v2 --markdown", does: "a comment on two revisions" },
      ]),
    )
    .addHelpText("after", "\nExit status: 0 nothing breaks, 1 something breaks, 2 misused.")
    .action((old: string, current: string | undefined, options: Options, command: Command) =>
      contractDiff({ old, current, options, command }, terminal),
    );
}

interface Call {
  readonly old: string;
  readonly current: string | undefined;
  readonly options: Options;
  readonly command: Command;
}

async function contractDiff({ old, current, options, command }: Call, terminal: Terminal): Promise<void> {
  if (current === undefined && options.git !== true) command.error("error: missing required argument 'NEW'");
  const diff = await compared({ old, new: current, git: options.git === true, folder: terminal.folder }, command);
  terminal.write(reportText(diff, options));
  if (diff.verdict === "break") throw new CommandFailure("The change breaks a contract.");
}

async function compared(options: SidesOptions, command: Command): Promise<ContractDiff> {
  // What it takes to compare is loaded for this alone: a generator of databases, and packages that may not be installed.
  const { compareContracts } = await import("../../contractDiff/compareContracts.ts");
  try {
    const sides = sidesOf(options);
    return await compareContracts(sides.old, sides.new);
  } catch (error) {
    if (!(error instanceof ContractDiffFailure)) throw error;
    return command.showHelpAfterError(false).error(`error: ${error.message}`, { exitCode: 2 });
  }
}

function reportText(diff: ContractDiff, { json, markdown }: Options): string {
  if (json === true) return jsonReport(diff);
  return markdown === true ? markdownReport(diff) : textReport(diff);
}
