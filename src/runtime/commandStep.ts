import { spawn } from "node:child_process";
import type { CommandStep } from "../../generated/contracts.ts";

/** How a command ended: with its output, or with what went wrong. */
export type CommandEnd =
  | { readonly status: "done"; readonly output: string }
  | { readonly status: "failed"; readonly reason: string };

/**
 * Starts the command of a step in a folder and calls back at its end. Returns what kills it; a killed command calls back
 * no more.
 */
export type StartCommand = (step: CommandStep, cwd: string, onEnd: (end: CommandEnd) => void) => () => void;

const DEFAULT_TIMEOUT_SECONDS = 600;
const DEFAULT_OUTPUT_BYTES = 16_384;

/**
 * Starts a step's command as a process, without a shell. The last bytes of its output, standard error included, are kept.
 * What kills it kills its children too.
 */
export const startCommand: StartCommand = (step, cwd, onEnd) => {
  const [program = "", ...args] = step.argv;
  const child = spawn(program, args, { cwd, stdio: ["ignore", "pipe", "pipe"], detached: true });
  const output = new OutputTail(step.maxOutputBytes ?? DEFAULT_OUTPUT_BYTES);
  let settled = false;
  const end = (result: CommandEnd): void => {
    if (settled) return;
    settled = true;
    release();
    onEnd(result);
  };
  /** A grandchild that got away may hold the pipes open and go on writing: nobody listens any more. */
  const release = (): void => {
    clearTimeout(timer);
    child.stdout.destroy();
    child.stderr.destroy();
  };
  const seconds = step.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS;
  const timer = setTimeout(() => {
    killGroup(child.pid);
    end({ status: "failed", reason: `The command ran longer than ${seconds} s and was killed.\n${output.text()}` });
  }, seconds * 1000);
  timer.unref();
  child.stdout.on("data", (chunk: Buffer) => output.add(chunk));
  child.stderr.on("data", (chunk: Buffer) => output.add(chunk));
  child.on("error", (error) => end({ status: "failed", reason: `The command could not be started: ${error.message}` }));
  child.on("close", (code, signal) => {
    if (code === 0) return end({ status: "done", output: output.text() });
    const how = code === null ? `was ended by ${signal}` : `ended with status ${code}`;
    return end({ status: "failed", reason: `The command ${how}.\n${output.text()}` });
  });
  return () => {
    settled = true;
    release();
    killGroup(child.pid);
  };
};

/** A detached child leads a process group of its own, which its children belong to. */
function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // The group is gone already, or belongs to another user by now: either way nothing is left to be done here.
  }
}

/** The last bytes of an output that may never end. */
class OutputTail {
  readonly #limit: number;
  #bytes = Buffer.alloc(0);

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(chunk: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, chunk]).subarray(-this.#limit);
  }

  /** A character that the limit cut in two is left out. */
  text(): string {
    return this.#bytes
      .toString("utf8")
      .replace(/^\uFFFD+/, "")
      .trimEnd();
  }
}
