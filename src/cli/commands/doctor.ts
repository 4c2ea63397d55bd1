import { existsSync } from "node:fs";
import type { Command } from "commander";
import { CommandFailure } from "../commandFailure.ts";
import { type Finding, ok } from "../doctor/finding.ts";
import { checkNode, checkPi, checkSqlite } from "../doctor/programs.ts";
import { checkStore } from "../doctor/storeChecks.ts";
import { examplesText } from "../examples.ts";
import { foldedLines, type HeadedLine } from "../output/foldedLines.ts";
import { jsonText } from "../output/json.ts";
import { painted, plural } from "../output/words.ts";
import { packageVersion } from "../packageRoot.ts";
import { addStoreOptions, type StoreOptions, storePath } from "../storeOptions.ts";
import type { Terminal } from "../terminal.ts";

interface Options extends StoreOptions {
  readonly json?: boolean;
}

/** `deferred-turns doctor`: what is wrong on this machine, and what to do about it. */
export function addDoctor(program: Command, terminal: Terminal): void {
  const command = program
    .command("doctor")
    .summary("find what is wrong, and say what to do")
    .description(
      "Checks Node, the native module of SQLite, Pi, and the whole store of a project: its layout and guards, damage, " +
        "permissions, the file system, rows of older versions, rows that cannot be read, and claims that ran out. " +
        "Nothing is changed.",
    );
  addStoreOptions(command)
    .option("--json", "write JSON")
    .addHelpText(
      "after",
      examplesText([
        { line: "deferred-turns doctor", does: "this project" },
        { line: "deferred-turns doctor --json | jq '.findings[] | select(.status != \"ok\")'", does: "for a program" },
      ]),
    )
    .addHelpText("after", "\nExit status: 0 nothing needs to be done, 1 a problem needs somebody, 2 misused.")
    .action((options: Options) => doctor(options, terminal));
}

async function doctor(options: Options, terminal: Terminal): Promise<void> {
  const path = storePath(options, terminal);
  const sqlite = await checkSqlite();
  const findings = [
    ok("package", `pi-deferred-turns ${packageVersion()}.`),
    checkNode(process.versions.node),
    sqlite,
    checkPi(terminal.environment),
    ...(sqlite.status === "ok" ? await findingsOfStore(path, options, terminal) : []),
  ];
  const problems = findings.filter(({ status }) => status === "problem").length;
  terminal.write(
    options.json === true
      ? jsonText({ format: "deferred-turns-doctor.v1", store: path, problems, findings })
      : (
          await foldedLines(
            findings.flatMap((finding) => findingLines(finding, terminal)),
            terminal,
          )
        ).join("\n"),
  );
  if (problems > 0) throw new CommandFailure(`${plural(problems, "problem")} found.`);
}

/** A project in which no workflow ran has no store, and needs none. */
async function findingsOfStore(path: string, { store }: Options, terminal: Terminal): Promise<readonly Finding[]> {
  if (store !== undefined || existsSync(path)) return checkStore(path, terminal.now());
  const message = `There is no store at ${path}: no workflow ran in this project yet.`;
  return [{ check: "store", status: "note", message }];
}

const MARKS = { ok: ["green", "ok     "], note: ["cyan", "note   "], problem: ["red", "PROBLEM"] } as const;

function findingLines({ check, status, message, action }: Finding, terminal: Terminal): readonly HeadedLine[] {
  const [colour, mark] = MARKS[status];
  const head = `${painted(colour, mark, terminal)}  ${check.padEnd("package".length)}  `;
  const below = " ".repeat("PROBLEM  package  ".length);
  return [{ head, text: message }, ...(action === undefined ? [] : [{ head: below, text: action }])];
}
