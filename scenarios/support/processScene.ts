import type { SessionEntry } from "@earendil-works/pi-coding-agent";
import type { WorkflowDefinition } from "../../generated/contracts.ts";
import type { WorkflowRun } from "../../generated/records.ts";
import type { Outcome } from "../scenario.ts";
import { EXTENSION } from "./extension.ts";
import type { ModelCall } from "./modelCalls.ts";
import type { PiRun } from "./piCli.ts";
import { runPrintMode } from "./printMode.ts";
import { RpcMode } from "./rpcMode.ts";
import type { ScriptedAnswer } from "./scriptedModel.ts";
import { type ScriptFiles, writeScript } from "./scriptFiles.ts";
import { customMessages, readSessionEntries, sessionFiles } from "./sessionFile.ts";
import { StoreView } from "./storeView.ts";
import { SYNC_MS } from "./swiftSettings.ts";
import { until } from "./until.ts";
import { writeWorkflows } from "./workflows.ts";
import type { World } from "./world.ts";

/** What a scene with processes begins with. */
export interface ProcessSceneOptions {
  readonly steps: readonly ScriptedAnswer[];
  readonly workflows?: readonly WorkflowDefinition[];
}

/** How one Pi process of a scene runs. */
export interface ProcessOptions {
  /** Whether it opens the scene's session again. */
  readonly resume?: boolean;
  readonly extensions?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** One session, and one scripted model, for several Pi processes in turn or at once. */
export class ProcessScene {
  readonly store: StoreView;
  readonly #world: World;
  readonly #script: ScriptFiles;

  constructor(world: World, { steps, workflows = [] }: ProcessSceneOptions) {
    writeWorkflows(world, ...workflows);
    this.#world = world;
    this.#script = writeScript(world, steps);
    this.store = new StoreView(world);
  }

  get calls(): readonly ModelCall[] {
    return this.#script.calls();
  }

  /** The file of the first session. Throws while there is none. */
  get sessionFile(): string {
    const [first] = sessionFiles(this.#world.sessionDir);
    if (first === undefined) throw new Error("No session was saved.");
    return first;
  }

  get entries(): readonly SessionEntry[] {
    return readSessionEntries(this.sessionFile);
  }

  /** How to run Pi here: in a new session, or in the one that there is. */
  pi(options: ProcessOptions = {}): PiRun {
    return {
      ...(options.env === undefined ? {} : { env: options.env }),
      world: this.#world,
      script: this.#script,
      extensions: options.extensions ?? [EXTENSION],
      ...(options.resume === true ? { resume: this.sessionFile } : {}),
    };
  }

  /** Starts Pi in rpc mode and waits until it answers, its extensions being started. */
  async rpc(options: ProcessOptions = {}): Promise<RpcMode> {
    const rpc = new RpcMode(this.pi(options));
    await rpc.request("get_state");
    return rpc;
  }

  /** Makes a session with one answered prompt, before the extension comes. */
  async makeSession(): Promise<void> {
    await runPrintMode({ ...this.pi({ extensions: [] }), prompts: ["Hello?"] });
  }

  async until<T>(what: string, condition: () => T | undefined | false): Promise<T> {
    const sawInstead = (): string => JSON.stringify({ calls: this.calls, intents: this.store.intents() }, undefined, 1);
    return until(condition, { what, sawInstead });
  }

  async untilCall(count: number): Promise<void> {
    await this.until(`the model's call number ${count}`, () => this.calls.length >= count);
  }

  async untilResolved(count: number): Promise<void> {
    await this.until(`${count} resolved intents`, () => this.store.hasResolved(count));
  }

  async untilRun(workflowRef: string, status: WorkflowRun["status"]): Promise<void> {
    await this.until(`the run of ${workflowRef} to be ${status}`, () => this.store.run(workflowRef)?.status === status);
  }

  /** Lets sync periods go by, in which a turn too many would show. */
  async quietPeriods(count = 5): Promise<void> {
    const end = Date.now() + count * SYNC_MS;
    await until(() => Date.now() >= end, { what: `${count} sync periods to go by` });
  }

  messageCount(customType: string): number {
    return customMessages(this.entries, customType).length;
  }

  /** What the scene left, once sync periods went by without a turn. */
  async end(
    rest: {
      readonly callsBefore?: number;
      readonly claims?: () => Outcome["claims"];
      readonly complaints?: readonly string[];
    } = {},
  ): Promise<Outcome> {
    await this.quietPeriods();
    const { calls, entries } = this;
    return {
      intents: this.store.intents(),
      calls,
      entries,
      ...(rest.callsBefore === undefined ? {} : { callsBefore: rest.callsBefore }),
      claims: rest.claims?.() ?? {},
      complaints: (rest.complaints ?? []).filter((complaint) => complaint !== ""),
      timeline: [],
    };
  }
}
