import type { SessionEntry } from "@earendil-works/pi-coding-agent";
import type { WorkflowDefinition } from "../../generated/contracts.ts";
import { EXTENSION } from "./extension.ts";
import type { ModelCall } from "./modelCalls.ts";
import type { PiRun } from "./piCli.ts";
import { runPrintMode } from "./printMode.ts";
import { RpcMode } from "./rpcMode.ts";
import type { ScriptedAnswer } from "./scriptedModel.ts";
import { type ScriptFiles, writeScript } from "./scriptFiles.ts";
import { readSessionEntries, sessionFiles } from "./sessionFile.ts";
import { WatchedScene } from "./watchedScene.ts";
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
export class ProcessScene extends WatchedScene {
  readonly #world: World;
  readonly #script: ScriptFiles;

  constructor(world: World, { steps, workflows = [] }: ProcessSceneOptions) {
    super(world);
    writeWorkflows(world, ...workflows);
    this.#world = world;
    this.#script = writeScript(world, steps);
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
}
