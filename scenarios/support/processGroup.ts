import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";

/** A program to start as the head of its own process group. */
export interface ProcessOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** The longest life, in milliseconds; then the whole group is killed and waiting for it fails. Default 45,000. */
  readonly deadlineMs?: number;
  /** Whether something will be written to its standard input. Default: it reads an empty one. */
  readonly stdin?: "pipe";
}

/** How a process ended. */
export interface ProcessEnd {
  /** The exit status, or null when a signal ended it. */
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Whether other processes of its group were still alive then. They are dead now. */
  readonly leftBehind: boolean;
}

/** A started program and everything that it starts in turn, killed together. */
export class ProcessGroup {
  /** Settles when the process has ended; fails with a sentence when the deadline killed it. */
  readonly ended: Promise<ProcessEnd>;
  readonly #child: ChildProcess;
  #stdout = "";
  #stderr = "";
  #deadlinePassed = false;

  constructor(options: ProcessOptions) {
    this.#child = spawn(options.command, options.args, {
      cwd: options.cwd,
      env: { ...options.env },
      stdio: [options.stdin ?? "ignore", "pipe", "pipe"],
      detached: true,
    });
    collect(this.#child.stdout, (text) => {
      this.#stdout += text;
    });
    collect(this.#child.stderr, (text) => {
      this.#stderr += text;
    });
    this.ended = this.#waitForEnd(options);
    this.ended.catch(() => {});
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get stdin(): Writable {
    if (this.#child.stdin === null) throw new Error('The process has no input: start it with stdin: "pipe".');
    return this.#child.stdin;
  }

  get stdout(): string {
    return this.#stdout;
  }

  get stderr(): string {
    return this.#stderr;
  }

  get running(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Calls `listener` with each piece of standard output from now on. */
  onStdout(listener: (text: string) => void): void {
    this.#child.stdout?.on("data", listener);
  }

  /** Sends a signal to every process of the group; false when none is left. */
  signal(signal: NodeJS.Signals): boolean {
    return this.#child.pid !== undefined && signalGroup(this.#child.pid, signal);
  }

  async #waitForEnd(options: ProcessOptions): Promise<ProcessEnd> {
    const deadlineMs = options.deadlineMs ?? 45_000;
    const deadline = setTimeout(() => {
      this.#deadlinePassed = true;
      this.signal("SIGKILL");
    }, deadlineMs);
    const killWithParent = (): void => {
      this.signal("SIGKILL");
    };
    process.once("exit", killWithParent);
    try {
      const [status, signal] = (await once(this.#child, "close")) as [number | null, NodeJS.Signals | null];
      const leftBehind = this.signal("SIGKILL");
      if (this.#deadlinePassed) throw new Error(this.#deadlineSentence(options, deadlineMs));
      return { status, signal, stdout: this.#stdout, stderr: this.#stderr, leftBehind };
    } finally {
      clearTimeout(deadline);
      process.off("exit", killWithParent);
    }
  }

  #deadlineSentence(options: ProcessOptions, deadlineMs: number): string {
    const output = `stdout: ${tail(this.#stdout)}\nstderr: ${tail(this.#stderr)}`;
    return `Killed after ${deadlineMs} ms: ${options.command} ${options.args.join(" ")}\n${output}`;
  }
}

/** Sends a signal to every process of the group that `leader` heads; false when none is left. */
export function signalGroup(leader: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(-leader, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
    throw error;
  }
}

function collect(stream: Readable | null, onText: (text: string) => void): void {
  stream?.setEncoding("utf8").on("data", onText);
}

function tail(text: string): string {
  return text.length <= 2_000 ? text : `…${text.slice(-2_000)}`;
}
