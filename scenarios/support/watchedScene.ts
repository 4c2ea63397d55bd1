import type { SessionEntry } from "@earendil-works/pi-coding-agent";
import type { WorkflowRun, WorkflowTurnIntent } from "../../generated/records.ts";
import type { Outcome } from "../scenario.ts";
import type { ModelCall } from "./modelCalls.ts";
import { customMessages } from "./sessionFile.ts";
import { StoreView } from "./storeView.ts";
import { DELIVERY_LEASE_MS, SYNC_MS } from "./swiftSettings.ts";
import type { Moment } from "./timeline.ts";
import { until } from "./until.ts";
import type { World } from "./world.ts";

/** What a scenario adds to the outcome of its scene. */
export interface OutcomeAdditions {
  /** The model calls until a person acted, where no successor message parts before from after. */
  readonly callsBefore?: number;
  /** What else must hold; asked once everything is quiet. */
  readonly claims?: () => Outcome["claims"];
  /** What processes wrote to their standard error. */
  readonly complaints?: readonly string[];
}

/** Something that happens on Pi, seen from outside: the model's calls, the session's entries, the controller store. */
export abstract class WatchedScene {
  readonly store: StoreView;

  constructor(world: World) {
    this.store = new StoreView(world);
  }

  abstract get calls(): readonly ModelCall[];
  abstract get entries(): readonly SessionEntry[];

  get intents(): readonly WorkflowTurnIntent[] {
    return this.store.intents();
  }

  async until<T>(what: string, condition: () => T | undefined | false): Promise<T> {
    return until(condition, { what, sawInstead: () => this.#seen() });
  }

  /** Waits for the model's call number `count` to have begun. */
  async untilCall(count: number): Promise<void> {
    await this.until(`the model's call number ${count}`, () => this.calls.length >= count);
  }

  /** Waits until there are `count` intents. */
  async untilIntents(count: number): Promise<void> {
    await this.until(`${count} intents`, () => this.intents.length === count);
  }

  /** Waits until there are `count` intents and all are resolved. */
  async untilResolved(count: number): Promise<void> {
    await this.untilIntents(count);
    await this.until(`${count} resolved intents`, () => this.intents.every(({ resolvedAt }) => resolvedAt !== null));
  }

  /** Waits until the newest run of a workflow has a status. */
  async untilRun(workflowRef: string, status: WorkflowRun["status"]): Promise<void> {
    await this.until(`the run of ${workflowRef} to be ${status}`, () => this.store.run(workflowRef)?.status === status);
  }

  /** Lets sync periods go by, in which a turn too many would show. */
  async quietPeriods(count = 5): Promise<void> {
    const end = Date.now() + count * SYNC_MS;
    await until(() => Date.now() >= end, { what: `${count} sync periods to go by` });
  }

  /** Lets so much time go by that a dead process's claims, and its precedence in delivering, are over. */
  async leaseAndPeriods(): Promise<void> {
    await this.quietPeriods(Math.ceil(DELIVERY_LEASE_MS / SYNC_MS) + 5);
  }

  /** How many messages of a type the session has. */
  messageCount(customType: string): number {
    return customMessages(this.entries, customType).length;
  }

  /** How many of the model's calls were about a text. */
  callsAbout(text: string): number {
    return this.calls.filter(({ newMessages }) => newMessages.some((message) => message.text.includes(text))).length;
  }

  /** What the scene left, once sync periods went by without a turn. */
  async end(additions: OutcomeAdditions = {}): Promise<Outcome> {
    await this.quietPeriods();
    const { callsBefore, claims, complaints = [] } = additions;
    const { intents, calls, entries } = this;
    return {
      intents,
      calls,
      entries,
      ...(callsBefore === undefined ? {} : { callsBefore }),
      claims: claims?.() ?? {},
      complaints: [...this.complaints(), ...complaints].filter((complaint) => complaint !== ""),
      timeline: this.timeline(intents),
    };
  }

  /** What Pi itself complained of. */
  protected complaints(): readonly string[] {
    return [];
  }

  protected timeline(_intents: readonly WorkflowTurnIntent[]): readonly Moment[] {
    return [];
  }

  #seen(): string {
    const asked = this.calls.map(({ newMessages }) => newMessages.map(({ text }) => text.slice(0, 80)));
    const fates = this.intents.map(({ cause, eligibleAt, resolution }) => ({ cause, eligibleAt, resolution }));
    return JSON.stringify({ asked, fates, runs: this.store.runs().map(({ status }) => status) });
  }
}
