import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterTest } from "./storeWorld.ts";

/** Another process of this repository: a helper script that speaks in lines. */
export class Child {
  readonly #process: ChildProcessWithoutNullStreams;
  #output = "";

  constructor(script: string, ...args: readonly string[]) {
    const path = fileURLToPath(new URL(script, import.meta.url));
    this.#process = spawn(process.execPath, [path, ...args]);
    this.#process.stdout.on("data", (data: Buffer) => {
      this.#output += data.toString();
    });
    this.#process.stderr.pipe(process.stderr);
    afterTest(() => this.#process.kill("SIGKILL"));
  }

  /** Waits until it has said a line; fails when it ends without. */
  async says(line: string): Promise<void> {
    while (!this.#output.split("\n").includes(line)) {
      await Promise.race([
        once(this.#process.stdout, "data"),
        once(this.#process, "close").then(() => {
          if (!this.#output.split("\n").includes(line))
            throw new Error(`The process ended without saying "${line}": ${this.#output}`);
        }),
      ]);
    }
  }

  tell(line: string): void {
    this.#process.stdin.write(`${line}\n`);
  }

  /** Everything it said, when it has ended. */
  async ends(): Promise<string> {
    if (this.#process.exitCode === null) await once(this.#process, "close");
    return this.#output;
  }
}
