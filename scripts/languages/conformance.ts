// `npm run conformance`: asks the programs of all languages that are installed what the contracts decide, and says what
// is missing. `-- --require python,go,ruby` fails where one of these is missing; `--only GLOB` asks fewer cases.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Command, Option } from "commander";
import { collect, devCommand, namesAmong, runDevCommand } from "../../dev/devCommand.ts";
import { complaint, type Report, reportText } from "../../src/cli/conformance/report.ts";
import { runSession } from "../../src/cli/conformance/session.ts";
import { type Corpus, publishedFiles, readCorpus } from "../../src/conformance/corpus.ts";
import { judge } from "../../src/conformance/judgement.ts";
import { type KnownDeviation, readKnownDeviations } from "../../src/conformance/knownDeviations.ts";
import { selectCases } from "../../src/conformance/selection.ts";
import { installCommand, LANGUAGES, type Language } from "./languages.ts";

const FILES = publishedFiles(process.cwd());
const CORPUS = readCorpus(FILES);
const TYPESCRIPT = [process.execPath, "scripts/run.mjs", "examples/languages/typescript/program.ts"];

interface Options {
  readonly require: readonly string[];
  readonly only: readonly string[];
}

/** What the programs are asked. */
interface Survey {
  readonly required: readonly string[];
  readonly cases: Corpus["cases"];
  readonly folder: string;
}

async function main({ require: required, only }: Options, command: Command): Promise<number> {
  const cases = selectCases(CORPUS.cases, only);
  // A run that asks nothing would show nothing.
  if (cases.length === 0)
    command.error(`No case has a name like ${only.join(" or ")}; schemas/vectors/ has the names.`);
  const folder = mkdtempSync(join(tmpdir(), "deferred-turns-languages-"));
  try {
    return (await allConform({ required, cases, folder })) ? 0 : 1;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Whether every program conforms, and every required one is there. */
async function allConform(survey: Survey): Promise<boolean> {
  const outcomes = [await conforms("typescript", { command: TYPESCRIPT, cases: survey.cases, known: [] })];
  for (const language of LANGUAGES) outcomes.push(await languageConforms(language, survey));
  return outcomes.every(Boolean);
}

async function languageConforms(language: Language, { required, cases, folder }: Survey): Promise<boolean> {
  const programs = language.prepare(folder);
  if (programs === undefined) {
    console.log(`${language.name}: missing; ${installCommand(language)}`);
    return !required.includes(language.name);
  }
  const list = readFileSync(`examples/languages/${language.name}/known-deviations.json`, "utf8");
  const known = readKnownDeviations(list, new Set(CORPUS.cases.map(({ id }) => id)));
  return conforms(language.name, { command: programs.conformance, cases, known });
}

interface Asked {
  readonly command: readonly string[];
  readonly cases: Corpus["cases"];
  readonly known: readonly KnownDeviation[];
}

async function conforms(name: string, { command: words, cases, known }: Asked): Promise<boolean> {
  const command = words.map((word) => `'${word}'`).join(" ");
  const environment = { DEFERRED_TURNS_SCHEMAS: FILES.schemas, DEFERRED_TURNS_DDL: FILES.ddl };
  const { answers, failure } = await runSession({ command, environment, cases, deadlineMs: 30_000 });
  const report: Report = { command, cases: cases.length, ...judge(answers, known), failure };
  console.log(`${name}: ${reportText(report, CORPUS.rules).split("\n").join(`\n${name}: `)}`);
  return complaint(report) === undefined;
}

const NAMES = LANGUAGES.map(({ name }) => name);

const command = devCommand({
  call: "npm run conformance",
  does: "Asks the programs of all languages that are installed what the contracts decide, and says what is missing.",
  examples: [
    { line: "npm run conformance", does: "every language that is there" },
    { line: "npm run conformance -- --require python,go", does: "fail where one of these is missing" },
    { line: "npm run conformance -- --only 'turn-intent-id/*'", does: "the cases of one contract" },
  ],
})
  .addOption(
    new Option("--require <NAMES>", `languages that must be there, with commas between them: ${NAMES.join(", ")}`)
      .argParser(namesAmong(NAMES, `give some of ${NAMES.join(", ")}`))
      .default([], "none"),
  )
  .addOption(
    new Option("--only <GLOB>", "only cases of this name, * for any characters; may be given several times")
      .argParser(collect)
      .default([], "all"),
  );

await runDevCommand(command, main);
