import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe } from "vitest";
import { installCommand, LANGUAGES, type Programs } from "../../../scripts/languages/languages.ts";

const built = mkdtempSync(join(tmpdir(), "deferred-turns-languages-"));
afterAll(() => rmSync(built, { recursive: true, force: true }));

/** The programs of the languages that are installed here, made once for a test file. */
export const INSTALLED: ReadonlyMap<string, Programs> = new Map(
  LANGUAGES.flatMap((language) => {
    const programs = language.prepare(built);
    return programs === undefined ? [] : [[language.name, programs] as const];
  }),
);

/** A suite for each language; one that is not installed is skipped by a name that says what to install. */
export function describeLanguages(suite: (name: string, programs: Programs) => void): void {
  for (const language of LANGUAGES) {
    const programs = INSTALLED.get(language.name);
    if (programs === undefined) describe.skip(`${language.name} (missing; ${installCommand(language)})`);
    else describe(language.name, () => suite(language.name, programs));
  }
}

/** The program of another language that writes into the store at a path. */
export class ForeignWriter {
  readonly #command: readonly string[];

  constructor(programs: Programs, path: string) {
    this.#command = [...programs.writer, path];
  }

  /** What it answers to a command; throws what it says when it refuses. */
  run(...args: readonly string[]): unknown {
    const [program = "", ...words] = [...this.#command, ...args];
    const { status, stdout, stderr } = spawnSync(program, words, { encoding: "utf8" });
    if (status !== 0) throw new Error(stderr);
    return JSON.parse(stdout);
  }

  /** The same, while others run. */
  async start(...args: readonly string[]): Promise<unknown> {
    const [program = "", ...words] = [...this.#command, ...args];
    const child = spawn(program, words);
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    const [status] = await once(child, "close");
    if (status !== 0) throw new Error(stderr);
    return JSON.parse(stdout);
  }

  insert(intent: object): { readonly intentId: string; readonly created: boolean } {
    return this.run("insert", JSON.stringify(intent)) as { readonly intentId: string; readonly created: boolean };
  }
}
