import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";

/** What a program did in place of answering, as the end of a sentence that begins with "The program". */
export class ProgramFailure extends Error {
  override readonly name = "ProgramFailure";
}

/** How a program is started. */
export interface ProgramStart {
  /** A command line for the shell. */
  readonly command: string;
  /** Environment variables beside those of this process. */
  readonly environment: Readonly<Record<string, string>>;
}

const LONGEST_LINE = 1_048_576;
const KEPT_STDERR = 2_000;

/** A program that answers each line with a line. */
export class LineProgram {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #closed: Promise<unknown>;
  readonly #lines: string[] = [];
  #unfinished = "";
  #stderr = "";
  /** Called when a line has come, or none will come any more. */
  #wake: () => void = () => undefined;
  /** How it ended, or why nothing more is read from it. */
  #ended: string | undefined;
  #isRunning = true;

  constructor({ command, environment }: ProgramStart) {
    // A group of its own, so that what a shell has started ends with it.
    this.#child = spawn(command, { shell: true, detached: true, env: { ...process.env, ...environment } });
    this.#closed = once(this.#child, "close").then(([status, signal]) => {
      this.#isRunning = false;
      this.#end(signal === null ? `ended with exit status ${status}` : `was ended by ${signal}`);
    });
    this.#child.stdout.setEncoding("utf8").on("data", (text: string) => this.#take(text));
    this.#child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-KEPT_STDERR);
    });
    // A program that has ended takes no line; that it has ended is what is told.
    this.#child.stdin.on("error", () => undefined);
  }

  /**
   * Sends a line and waits for the next one.
   *
   * @throws ProgramFailure when none comes in time
   */
  async ask(line: string, deadlineMs: number): Promise<string> {
    this.#child.stdin.write(`${line}\n`);
    await this.#until(() => this.#lines.length > 0 || this.#ended !== undefined, deadlineMs, "did not answer");
    const answer = this.#lines.shift();
    if (answer === undefined) throw this.#failure(`${this.#ended} without an answer`);
    return answer;
  }

  /**
   * Tells the program that no line follows, and waits for its end.
   *
   * @throws ProgramFailure when it does not end in time, with another status than 0, or with a line that nobody asked for
   */
  async finish(deadlineMs: number): Promise<void> {
    this.#child.stdin.end();
    await this.#until(() => this.#ended !== undefined, deadlineMs, "did not end after its input had ended");
    const [more] = this.#lines;
    if (more !== undefined) throw this.#failure(`wrote another line after its last answer: ${excerpt(more)}`);
    if (this.#ended !== "ended with exit status 0") throw this.#failure(`${this.#ended} after its last answer`);
  }

  /** Ends the program, and all that it has started. */
  async kill(): Promise<void> {
    if (this.#isRunning && this.#child.pid !== undefined) killGroup(this.#child.pid);
    // A process that has left the group may hold them open.
    for (const stream of [this.#child.stdout, this.#child.stderr]) stream.destroy();
    await this.#closed;
  }

  #take(text: string): void {
    const [first = "", ...others] = text.split("\n");
    const pieces = [this.#unfinished + first, ...others];
    this.#unfinished = pieces.pop() ?? "";
    this.#lines.push(...pieces);
    if (this.#unfinished.length > LONGEST_LINE) this.#end(`wrote ${LONGEST_LINE} characters without a line break`);
    this.#wake();
  }

  #end(how: string): void {
    this.#ended ??= how;
    this.#wake();
  }

  /** Waits for lines to come, or for the end; which of them is looked for each time something has come. */
  async #until(isSo: () => boolean, deadlineMs: number, failure: string): Promise<void> {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      this.#wake();
    }, deadlineMs);
    while (!isSo() && !late) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    clearTimeout(timer);
    if (!isSo()) throw this.#failure(`${failure} within ${deadlineMs / 1000} s`);
  }

  #failure(what: string): ProgramFailure {
    const stderr = this.#stderr.trim();
    return new ProgramFailure(stderr === "" ? `${what}.` : `${what}. It wrote to stderr:\n${stderr}`);
  }
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    // It ended by itself just now.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** The beginning of a line, as a report quotes it. */
export function excerpt(line: string): string {
  return JSON.stringify(line.length > 200 ? `${line.slice(0, 200)}…` : line);
}
