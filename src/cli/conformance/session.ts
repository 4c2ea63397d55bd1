import type { ConformanceCase } from "../../conformance/corpus.ts";
import type { Answered } from "../../conformance/judgement.ts";
import { readAnswer, requestLine } from "../../conformance/protocol.ts";
import { excerpt, LineProgram, ProgramFailure, type ProgramStart } from "./lineProgram.ts";

/** What one session with a program came to. */
export interface SessionResult {
  /** The answers up to the failure, or all of them. */
  readonly answers: readonly Answered[];
  /** Why the session broke off, as a sentence that names the case; undefined when it did not. */
  readonly failure: string | undefined;
}

export interface SessionOptions extends ProgramStart {
  readonly cases: readonly ConformanceCase[];
  /** How long the program may take for one answer, and to end. */
  readonly deadlineMs: number;
}

/** Asks a program one case after the other. Whatever the program does, the session ends and so does the program. */
export async function runSession(options: SessionOptions): Promise<SessionResult> {
  const program = new LineProgram(options);
  const answers: Answered[] = [];
  try {
    for (const asked of options.cases) answers.push(await askOne(program, asked, options, answers.length + 1));
    await program.finish(options.deadlineMs);
    return { answers, failure: undefined };
  } catch (error) {
    if (!(error instanceof ProgramFailure)) throw error;
    return { answers, failure: `The program ${error.message}` };
  } finally {
    await program.kill();
  }
}

async function askOne(
  program: LineProgram,
  asked: ConformanceCase,
  { cases, deadlineMs }: SessionOptions,
  id: number,
): Promise<Answered> {
  const request = `request ${id}, the case ${asked.id}`;
  const line = await program.ask(requestLine(asked, id), deadlineMs).catch((error: unknown) => {
    throw error instanceof ProgramFailure ? new ProgramFailure(`was asked ${request}, and ${error.message}`) : error;
  });
  const answer = readAnswer(line, asked, id);
  if (answer.kind === "garbage") {
    throw new ProgramFailure(`was asked ${request}, and its answer ${answer.flaw}: ${excerpt(line)}`);
  }
  if (answer.kind === "misplaced") {
    throw new ProgramFailure(`was asked ${request}, and ${misplaced(cases[answer.id - 1], answer.id, id)}.`);
  }
  return { asked, answer };
}

function misplaced(other: ConformanceCase | undefined, id: number, expected: number): string {
  if (other === undefined) return `answered a request ${id} that there is not`;
  const done = id < expected ? "a second time" : "before it was asked";
  return `answered request ${id}, the case ${other.id}, ${done}`;
}
