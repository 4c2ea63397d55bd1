import type { SessionEntry } from "@earendil-works/pi-coding-agent";
import type { WorkflowDefinition } from "../../generated/contracts.ts";
import type { WorkflowTurnIntent } from "../../generated/records.ts";
import { EXTENSION } from "./extension.ts";
import type { ModelCall } from "./modelCalls.ts";
import type { ScriptedStep } from "./scriptedModel.ts";
import { openSdkSession, type SdkSession } from "./sdkSession.ts";
import { type Moment, Timeline } from "./timeline.ts";
import { WatchedScene } from "./watchedScene.ts";
import { writeWorkflows } from "./workflows.ts";
import type { World } from "./world.ts";

/** What a scene begins with. */
export interface SceneOptions {
  readonly steps: readonly ScriptedStep[];
  readonly workflows?: readonly WorkflowDefinition[];
}

/** A person, the scripted model and the extension in one session of real Pi, in this process. */
export class Scene extends WatchedScene {
  /** Pi's session, for what a person does beside writing. */
  readonly pi: SdkSession;
  readonly #timeline: Timeline;

  private constructor(world: World, pi: SdkSession, timeline: Timeline) {
    super(world);
    this.pi = pi;
    this.#timeline = timeline;
  }

  static async open(world: World, { steps, workflows = [] }: SceneOptions): Promise<Scene> {
    writeWorkflows(world, ...workflows);
    const timeline = new Timeline();
    const onEvent = timeline.add.bind(timeline);
    const pi = await openSdkSession({ world, steps, extensions: [EXTENSION], onEvent });
    return new Scene(world, pi, timeline);
  }

  get calls(): readonly ModelCall[] {
    return this.pi.calls;
  }

  get entries(): readonly SessionEntry[] {
    return this.pi.entries;
  }

  get sessionId(): string {
    return this.pi.session.sessionId;
  }

  get sessionFile(): string {
    return this.pi.session.sessionFile ?? "";
  }

  /** A person writes to the agent; returns when the turn has ended. */
  async ask(text = "Please begin."): Promise<void> {
    await this.pi.prompt(text);
  }

  /** A person uses `/workflow`. */
  async command(line: string): Promise<void> {
    await this.pi.prompt(`/workflow ${line}`);
  }

  /** A person presses Escape; returns when Pi is idle. */
  async escape(): Promise<void> {
    await this.pi.session.abort();
  }

  async untilIdle(): Promise<void> {
    await this.until("an idle session", () => this.pi.session.isIdle);
  }

  /** Counts from when Pi is idle, and lasts until it is so again. */
  override async quietPeriods(count = 5): Promise<void> {
    await this.untilIdle();
    await super.quietPeriods(count);
    await this.untilIdle();
  }

  protected override complaints(): readonly string[] {
    return this.pi.errors.map(({ error }) => error);
  }

  protected override timeline(intents: readonly WorkflowTurnIntent[]): readonly Moment[] {
    return this.#timeline.moments(intents);
  }
}
