import { readFileSync } from "node:fs";
import { type Command, InvalidArgumentError } from "commander";
import { type Corpus, publishedFiles, readCorpus } from "../../conformance/corpus.ts";
import { judge } from "../../conformance/judgement.ts";
import { type KnownDeviation, readKnownDeviations } from "../../conformance/knownDeviations.ts";
import { selectCases } from "../../conformance/selection.ts";
import { CommandFailure } from "../commandFailure.ts";
import { complaint, type Report, reportText } from "../conformance/report.ts";
import { runSession } from "../conformance/session.ts";
import { examplesText } from "../examples.ts";
import { jsonText } from "../output/json.ts";
import { packageRoot } from "../packageRoot.ts";
import type { Terminal } from "../terminal.ts";

interface Options {
  readonly run: string;
  readonly known?: string;
  readonly only?: readonly string[];
  readonly timeout: number;
  readonly json?: boolean;
}

/** `deferred-turns conformance --run COMMAND`: asks a program in any language what the contracts decide. */
export function addConformance(program: Command, terminal: Terminal): void {
  program
    .command("conformance")
    .summary("check a program in any language against the corpus of the contracts")
    .description(
      "Starts a program, asks it one case of the conformance corpus a line, and compares its answers. " +
        "The program decides whether a document is valid, which id parts have, and whether a database accepts a " +
        "statement; docs/conformance.md describes the lines. DEFERRED_TURNS_SCHEMAS and DEFERRED_TURNS_DDL tell it " +
        "where the schemas and the DDL are.",
    )
    .requiredOption("--run <COMMAND>", "the command line that starts the program")
    .option("--known <FILE>", "deviations that are known, each with its reason; the list must be exact")
    .option("--only <GLOB>", "only cases of this name; may be given several times", collect)
    .option("--timeout <SECONDS>", "how long the program may take for one answer", seconds, 10)
    .option("--json", "write the report as JSON")
    .addHelpText(
      "after",
      examplesText([
        { line: "deferred-turns conformance --run 'python3 program.py'", does: "every case" },
        { line: "deferred-turns conformance --run ./program --only 'deferred-turn-*'", does: "two contracts" },
        { line: "deferred-turns conformance --run ./program --known known.json", does: "but for what is known" },
      ]),
    )
    .action((options: Options, command: Command) => conformance(options, command, terminal));
}

async function conformance({ only = [], ...options }: Options, command: Command, terminal: Terminal): Promise<void> {
  const files = publishedFiles(packageRoot());
  const corpus = readCorpus(files);
  const cases = selectCases(corpus.cases, only);
  if (cases.length === 0) command.error(`error: no case has a name like ${only.join(" or ")}`);
  const known = options.known === undefined ? [] : readKnown(options.known, corpus);
  const { answers, failure } = await runSession({
    command: options.run,
    environment: { DEFERRED_TURNS_SCHEMAS: files.schemas, DEFERRED_TURNS_DDL: files.ddl },
    cases,
    deadlineMs: options.timeout * 1000,
  });
  const report: Report = { command: options.run, cases: cases.length, ...judge(answers, known), failure };
  terminal.write(
    options.json === true
      ? jsonText({ format: "deferred-turns-conformance.v1", ...report })
      : reportText(report, corpus.rules),
  );
  const wrong = complaint(report);
  if (wrong !== undefined) throw new CommandFailure(wrong);
}

function readKnown(path: string, { cases }: Corpus): readonly KnownDeviation[] {
  return readKnownDeviations(readList(path), new Set(cases.map(({ id }) => id)));
}

function readList(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandFailure(`The list of known deviations cannot be read: ${reason}.`);
  }
}

function collect(glob: string, globs: readonly string[] = []): readonly string[] {
  return [...globs, glob];
}

function seconds(text: string): number {
  const value = Number(text);
  if (value > 0 && value <= 3600) return value;
  throw new InvalidArgumentError("Give a number of seconds, more than 0 and at most 3600.");
}
