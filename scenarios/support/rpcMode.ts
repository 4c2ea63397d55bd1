import type { SessionEntry } from "@earendil-works/pi-coding-agent";
import { JsonLineReader, type JsonRecord } from "./jsonLines.ts";
import type { ModelCall } from "./modelCalls.ts";
import { type PiRun, piProcess } from "./piCli.ts";
import { type ProcessEnd, ProcessGroup } from "./processGroup.ts";
import { type UntilOptions, until } from "./until.ts";

/** A `pi --mode rpc` process and a client for it. */
export class RpcMode {
  /** Every record so far, responses included, in the order they came. */
  readonly records: JsonRecord[] = [];
  readonly #process: ProcessGroup;
  readonly #run: PiRun;
  #requests = 0;

  constructor(run: PiRun) {
    this.#run = run;
    this.#process = new ProcessGroup({ ...piProcess(run, ["--mode", "rpc"]), stdin: "pipe" });
    run.world.defer(() => this.kill());
    const reader = new JsonLineReader();
    this.#process.onStdout((piece) => this.records.push(...reader.push(piece)));
  }

  get calls(): readonly ModelCall[] {
    return this.#run.script.calls();
  }

  get stderr(): string {
    return this.#process.stderr;
  }

  /** The events of one type so far. */
  events(type: string): readonly JsonRecord[] {
    return this.records.filter((record) => record.type === type);
  }

  /** Sends a command and gives the data of its response; throws Pi's own words when Pi refuses it. */
  async request(type: string, fields: Readonly<Record<string, unknown>> = {}): Promise<unknown> {
    const id = `request-${++this.#requests}`;
    this.#process.stdin.write(`${JSON.stringify({ id, type, ...fields })}\n`);
    const response = await this.until(() => this.#response(id), { what: `Pi's response to ${type}` });
    if (response["success"] !== true) throw new Error(`Pi refused ${type}: ${String(response["error"])}`);
    return response["data"];
  }

  /** Sends a prompt; returns when Pi has accepted it. */
  async prompt(message: string): Promise<void> {
    await this.request("prompt", { message });
  }

  /** Aborts what runs; returns when the session is idle. */
  async abort(): Promise<void> {
    await this.request("abort");
  }

  /** All entries of the session, as Pi has them in memory. */
  async entries(): Promise<readonly SessionEntry[]> {
    const data = (await this.request("get_entries")) as { readonly entries: readonly SessionEntry[] };
    return data.entries;
  }

  /** Waits until Pi has settled `count` times in all. */
  async untilSettled(count: number): Promise<void> {
    await this.until(() => this.events("agent_settled").length >= count, { what: `settlement number ${count}` });
  }

  /** Waits for a condition while the process lives. */
  async until<T>(condition: () => T | undefined | false, options: UntilOptions): Promise<T> {
    return until(
      () => {
        const value = condition();
        const missing = value === undefined || value === false;
        if (missing && !this.#process.running) throw new Error(`Pi has ended. stderr: ${this.stderr}`);
        return value;
      },
      {
        sawInstead: () => `${this.records.map((record) => record.type).join(", ")}\nstderr: ${this.stderr}`,
        ...options,
      },
    );
  }

  /** Suspends the process where it stands. */
  suspend(): void {
    this.#process.signal("SIGSTOP");
  }

  /** Lets a suspended process go on. */
  goOn(): void {
    this.#process.signal("SIGCONT");
  }

  /** Waits until the process has ended by itself. */
  async ended(): Promise<ProcessEnd> {
    return this.#process.ended;
  }

  /** Kills the process at once, as a crash would. Does nothing to one that has ended. */
  async kill(): Promise<ProcessEnd> {
    this.#process.signal("SIGKILL");
    return this.#process.ended;
  }

  /** Asks for an orderly shutdown by closing standard input. */
  async dispose(): Promise<ProcessEnd> {
    this.#process.stdin.end();
    return this.#process.ended;
  }

  #response(id: string): JsonRecord | undefined {
    return this.records.find((record) => record.type === "response" && record["id"] === id);
  }
}
