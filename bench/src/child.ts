import { type ChildProcess, fork, spawnSync } from "node:child_process";
import { on, once } from "node:events";
import { fileURLToPath } from "node:url";

const CHILDREN = new URL("../children/", import.meta.url);

function scriptPath(script: string): string {
  return fileURLToPath(new URL(script, CHILDREN));
}

/** Runs a script of bench/children/ to its end, and returns the one number that it prints. Throws when it fails. */
export function figureOf(script: string, args: readonly string[], nodeOptions: readonly string[] = []): number {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...nodeOptions, scriptPath(script), ...args], {
    encoding: "utf8",
  });
  const figure = Number.parseFloat(stdout);
  if (status !== 0 || !Number.isFinite(figure)) throw new Error(`${script} failed (${status}): ${stdout}${stderr}`);
  return figure;
}

/** A script of bench/children/ that answers a message with a message. */
export class BenchChild {
  readonly #process: ChildProcess;
  readonly #messages: AsyncIterator<readonly unknown[]>;

  constructor(script: string, args: readonly string[]) {
    this.#process = fork(scriptPath(script), args, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
    this.#messages = on(this.#process, "message", { close: ["exit"] });
  }

  /** Sends a message and waits for the answer. Throws when the process ends before. */
  async ask(message: string): Promise<unknown> {
    this.#process.send(message);
    return this.hears();
  }

  /** Waits for the next message. Throws when the process ends before. */
  async hears(): Promise<unknown> {
    const { value, done } = await this.#messages.next();
    if (done === true) throw new Error("A process of the benchmark ended too early.");
    return value[0];
  }

  async end(): Promise<void> {
    const exit = once(this.#process, "exit");
    this.#process.disconnect();
    await exit;
  }
}
