import { buffer } from "node:stream/consumers";

/** All that a command knows of the process that it runs in. */
export interface Terminal {
  /** Writes to stdout and ends the line. */
  write(text: string): void;
  /** Writes to stderr and ends the line. */
  warn(text: string): void;
  /** Reads stdin to its end. */
  readInput(): Promise<Uint8Array>;
  /** The width of the terminal, in cells; undefined when stdout is none. */
  readonly columns: number | undefined;
  readonly hasColours: boolean;
  /** Whether stdin is a terminal, so that nothing is piped in. */
  readonly isInputTyped: boolean;
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Epoch milliseconds. */
  now(): number;
  /** Aborted when the person wants the command to end; before the first call, Ctrl-C ends the process. */
  interruption(): AbortSignal;
}

/** Whether a person would see colours, and wants them. */
export function wantsColours(isTerminal: boolean, environment: NodeJS.ProcessEnv): boolean {
  return isTerminal && (environment["NO_COLOR"] ?? "") === "" && environment["TERM"] !== "dumb";
}

/** The terminal of this process. */
export function processTerminal(): Terminal {
  const { stdout, stdin, env } = process;
  return {
    write: (text) => console.log(text),
    warn: (text) => console.error(text),
    readInput: () => buffer(stdin),
    columns: stdout.isTTY ? stdout.columns : undefined,
    hasColours: wantsColours(stdout.isTTY === true, env),
    isInputTyped: stdin.isTTY === true,
    folder: process.cwd(),
    environment: env,
    now: Date.now,
    interruption: () => {
      const controller = new AbortController();
      for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => controller.abort());
      return controller.signal;
    },
  };
}
