import type { WorkflowDefinition } from "../../generated/contracts.ts";
import type { WorkflowRun, WorkflowTurnIntent } from "../../generated/records.ts";
import type { Outcome } from "../scenario.ts";
import { EXTENSION } from "./extension.ts";
import type { ScriptedStep } from "./scriptedModel.ts";
import { openSdkSession, type SdkSession } from "./sdkSession.ts";
import { customMessages } from "./sessionFile.ts";
import { StoreView } from "./storeView.ts";
import { DELIVERY_LEASE_MS, SYNC_MS } from "./swiftSettings.ts";
import { Timeline } from "./timeline.ts";
import { type UntilOptions, until } from "./until.ts";
import { writeWorkflows } from "./workflows.ts";
import type { World } from "./world.ts";

/** What a scene begins with. */
export interface SceneOptions {
  readonly steps: readonly ScriptedStep[];
  readonly workflows?: readonly WorkflowDefinition[];
}

/** A person, the scripted model and the extension in one session of real Pi, in this process. */
export class Scene {
  readonly session: SdkSession;
  readonly store: StoreView;
  readonly #timeline: Timeline;

  private constructor(session: SdkSession, store: StoreView, timeline: Timeline) {
    this.session = session;
    this.store = store;
    this.#timeline = timeline;
  }

  static async open(world: World, { steps, workflows = [] }: SceneOptions): Promise<Scene> {
    writeWorkflows(world, ...workflows);
    const timeline = new Timeline();
    const onEvent = timeline.add.bind(timeline);
    const session = await openSdkSession({ world, steps, extensions: [EXTENSION], onEvent });
    return new Scene(session, new StoreView(world), timeline);
  }

  get sessionId(): string {
    return this.session.session.sessionId;
  }

  get sessionFile(): string {
    return this.session.session.sessionFile ?? "";
  }

  get callCount(): number {
    return this.session.calls.length;
  }

  intents(): readonly WorkflowTurnIntent[] {
    return this.store.intents();
  }

  /** A person writes to the agent; returns when the turn has ended. */
  async ask(text = "Please begin."): Promise<void> {
    await this.session.prompt(text);
  }

  /** A person uses `/workflow`. */
  async command(line: string): Promise<void> {
    await this.session.prompt(`/workflow ${line}`);
  }

  async until<T>(
    what: string,
    condition: () => T | undefined | false,
    options: Partial<UntilOptions> = {},
  ): Promise<T> {
    return this.session.until(condition, { what, ...options });
  }

  /** Waits for the model's call number `count` to have begun. */
  async untilCall(count: number): Promise<void> {
    await this.until(`the model's call number ${count}`, () => this.callCount >= count);
  }

  /** Waits until there are `count` intents and all are resolved. */
  async untilResolved(count: number): Promise<void> {
    await this.until(`${count} resolved intents`, () => this.store.hasResolved(count));
  }

  /** Waits until the newest run of a workflow has a status. */
  async untilRun(workflowRef: string, status: WorkflowRun["status"]): Promise<void> {
    await this.until(`the run of ${workflowRef} to be ${status}`, () => this.store.run(workflowRef)?.status === status);
  }

  /** Waits until Pi is idle, then lets sync periods go by, in which a turn too many would show. */
  async quietPeriods(count = 5): Promise<void> {
    await this.until("an idle session", () => this.session.session.isIdle);
    const end = Date.now() + count * SYNC_MS;
    await until(() => Date.now() >= end, { what: `${count} sync periods to go by` });
    await this.until("an idle session", () => this.session.session.isIdle);
  }

  /** Lets so much time go by that a dead process's claims and its turn to deliver are over. */
  async leaseAndPeriods(): Promise<void> {
    await this.quietPeriods(Math.ceil(DELIVERY_LEASE_MS / SYNC_MS) + 5);
  }

  /** How many messages of a type the session has. */
  messageCount(customType: string): number {
    return customMessages(this.session.entries, customType).length;
  }

  /** How many of the model's calls were about a text. */
  callsAbout(text: string): number {
    return this.session.calls.filter(({ newMessages }) => newMessages.some((message) => message.text.includes(text)))
      .length;
  }

  /** What the scene left, once sync periods went by without a turn. */
  async end(rest: { readonly callsBefore?: number; readonly claims?: () => Outcome["claims"] } = {}): Promise<Outcome> {
    await this.quietPeriods();
    const { entries, calls, errors } = this.session;
    const intents = this.intents();
    return {
      intents,
      calls,
      entries,
      ...(rest.callsBefore === undefined ? {} : { callsBefore: rest.callsBefore }),
      claims: rest.claims?.() ?? {},
      complaints: errors.map(({ error }) => error),
      timeline: this.#timeline.moments(intents),
    };
  }
}
