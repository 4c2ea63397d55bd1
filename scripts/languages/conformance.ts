// `npm run conformance`: asks the programs of all languages that are installed what the contracts decide, and says what
// is missing. `-- --require python,go,ruby` fails where one of these is missing; `--only GLOB` asks fewer cases.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
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
  readonly required: readonly string[];
  readonly cases: Corpus["cases"];
  readonly folder: string;
}

/** Whether every program conforms, and every required one is there. */
async function main(options: Options): Promise<boolean> {
  const outcomes = [await conforms("typescript", { command: TYPESCRIPT, cases: options.cases, known: [] })];
  for (const language of LANGUAGES) outcomes.push(await languageConforms(language, options));
  return outcomes.every(Boolean);
}

async function languageConforms(language: Language, { required, cases, folder }: Options): Promise<boolean> {
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

/** The languages of a list; a name that is none would never be missed. */
function languagesIn(list: string): readonly string[] {
  const names = list.split(",").filter((name) => name !== "");
  const unknown = names.find((name) => !LANGUAGES.some((language) => language.name === name));
  if (unknown === undefined) return names;
  throw new Error(
    `There is no program in ${unknown}: require some of ${LANGUAGES.map(({ name }) => name).join(", ")}.`,
  );
}

/** The cases of some globs; a run that asks nothing would show nothing. */
function casesOf(globs: readonly string[]): Corpus["cases"] {
  const cases = selectCases(CORPUS.cases, globs);
  if (cases.length > 0) return cases;
  throw new Error(`No case has a name like ${globs.join(" or ")}.`);
}

const folder = mkdtempSync(join(tmpdir(), "deferred-turns-languages-"));
try {
  const { values } = parseArgs({
    options: { require: { type: "string", default: "" }, only: { type: "string", multiple: true, default: [] } },
  });
  const options = { required: languagesIn(values.require), cases: casesOf(values.only), folder };
  process.exitCode = (await main(options)) ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
