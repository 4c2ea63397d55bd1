import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import { bindDeferredTurns, type DeferredTurns } from "../../../src/pi/bindDeferredTurns.ts";
import type { BoundSession } from "../../../src/pi/boundSession.ts";
import type { PiHost } from "../../../src/pi/piSession.ts";
import type { ControllerStore } from "../../../src/store/controllerStore.ts";
import { createProcessMemory, type ProcessMemory } from "../../../src/turns/processMemory.ts";
import type { OutgoingMessage, SendOptions } from "../../../src/turns/session.ts";
import type { SettlementCause } from "../../../src/turns/sessionGate.ts";
import { FakePi } from "../../support/fakePi.ts";
import type { FakeEntry } from "../../support/fakeSessionLog.ts";
import { type Fault, type Point, Points } from "./points.ts";
import { watchedStore } from "./watchedStore.ts";

export const SESSION_ID = "session-1";

/** How long a delivery claim lives, milliseconds. */
export const LEASE_MS = 30_000;

export const MAX_SENDS = 2;

/** The two processes of the world, and the one that comes when both are gone. */
export const PROCESS_NAMES = ["A", "B", "C"] as const;
export type ProcessName = (typeof PROCESS_NAMES)[number];

type Handler = (event: unknown, context: ExtensionContext) => unknown;

/** What a process has around it, and who hears of it. */
export interface ProcessSurroundings {
  readonly sessionFile: string;
  readonly storedEntries: () => readonly FakeEntry[];
  readonly store: ControllerStore;
  readonly now: () => number;
  readonly onPoint: (process: SmallProcess, point: Point) => void;
  /** A turn is about to be aborted by one of us. */
  readonly onAbort: (process: SmallProcess) => void;
  /** A message is about to be handed to Pi. */
  readonly onSend: (process: SmallProcess, message: OutgoingMessage, options: SendOptions) => void;
  readonly onStart: (process: SmallProcess) => void;
  readonly onSettled: (process: SmallProcess, cause: SettlementCause) => void;
}

/** One process: its own Pi, process memory and store connection, with the production binding between them. */
export class SmallProcess {
  readonly name: ProcessName;
  readonly memory: ProcessMemory = createProcessMemory();
  readonly #surroundings: ProcessSurroundings;
  readonly #points: Points;
  readonly #events: string[] = [];
  #pi: FakePi | undefined;
  #turns: DeferredTurns | undefined;
  #tick: (() => void) | undefined;
  #counter = 0;
  #fault: Fault | undefined;
  #life: "unborn" | "alive" | "gone" = "unborn";
  #awaitsRun = false;
  #passed = false;

  constructor(name: ProcessName, surroundings: ProcessSurroundings) {
    this.name = name;
    this.#surroundings = surroundings;
    this.#points = new Points((point) => surroundings.onPoint(this, point));
  }

  get isAlive(): boolean {
    return this.#life === "alive";
  }

  get life(): "unborn" | "alive" | "gone" {
    return this.#life;
  }

  /** Throws before the start, as `turns` and `session` do. */
  get pi(): FakePi {
    if (this.#pi === undefined) throw new Error(`${this.name} has not started.`);
    return this.#pi;
  }

  get turns(): DeferredTurns {
    if (this.#turns === undefined) throw new Error(`${this.name} has not started.`);
    return this.#turns;
  }

  get session(): BoundSession {
    const { session } = this.turns;
    if (session === undefined) throw new Error(`The session of ${this.name} is not open.`);
    return session;
  }

  /** The event whose handlers run now; undefined outside them. */
  get event(): string | undefined {
    return this.#events.at(-1);
  }

  /** Whether Pi has taken a message and has not started its run yet. */
  get awaitsRun(): boolean {
    return this.#awaitsRun;
  }

  /** Whether its timer has fired since time went by: a process that waits for its run must not be taken for a suspended one. */
  get isAwake(): boolean {
    return this.#passed || !this.#awaitsRun;
  }

  /** The names of the store calls that the last step made. */
  get storeCalls(): readonly string[] {
    return this.#points.calls;
  }

  /** Does something of this process, in which a fault may happen. A process that dies in it is gone. */
  step(fault: Fault | undefined, work: () => void): void {
    this.#fault = fault;
    this.#points.begin(fault);
    try {
      work();
    } catch (error) {
      if (!this.#points.isDead) throw error;
    }
    this.#fault = undefined;
    this.#points.end();
    if (this.#points.isDead) this.kill();
  }

  /** Opens the session, with all that its file holds. */
  start(): void {
    const { sessionFile: file, storedEntries } = this.#surroundings;
    this.#life = "alive";
    this.#pi = new FakePi({
      mode: "rpc",
      id: SESSION_ID,
      file,
      stored: storedEntries(),
      newEntryId: () => this.#newId(),
      cross: (border, work) => (border === "write" ? this.#write(work) : work()),
    });
    this.#bind(this.#pi);
    this.#pi.start();
  }

  /** A new instance of the extension takes the old one's place; what Pi holds and the process remembers stays. */
  reload(): void {
    this.pi.reload();
    this.#bind(this.pi);
    this.pi.start("reload");
  }

  /** The timer of the sync pass fires. */
  pass(): void {
    this.#passed = true;
    this.#tick?.();
  }

  timeGoesBy(): void {
    this.#passed = false;
  }

  quit(): void {
    this.pi.shutdown();
    this.#life = "gone";
  }

  kill(): void {
    this.#points.kill();
    this.pi.kill();
    this.#life = "gone";
  }

  /** A place in the world's own code at which the process could die. */
  reach(name: string): void {
    this.#points.reach(name);
  }

  #bind(pi: FakePi): void {
    const { now, store, onStart, onSettled } = this.#surroundings;
    this.#turns = bindDeferredTurns(this.#watched(pi.host), {
      openStore: () => watchedStore(store, this.#points),
      settings: { deliveryLeaseMs: LEASE_MS, maxSends: MAX_SENDS },
      memory: this.memory,
      now,
      newClaimToken: () => this.#newId(),
      every: (_intervalMs, tick) => this.#tickWith(tick),
      onStart: () => onStart(this),
      onSettled: (cause) => onSettled(this, cause),
      // A timer may fire while the session closes.
      onShutdown: (session) => session.pass(),
    });
  }

  #tickWith(tick: () => void): () => void {
    this.#tick = tick;
    return () => {
      this.#tick = undefined;
    };
  }

  #newId(): string {
    this.#counter += 1;
    return `${this.name}-${this.#counter}`;
  }

  /** What the extension has of Pi, with a point wherever one of the two turns to the other. */
  #watched(host: PiHost): PiHost {
    return {
      on: (event: string, handler: Handler) =>
        (host.on as (event: string, handler: Handler) => void)(event, (data, context) =>
          this.#hear(event, () => handler(data, this.#watchedContext(context))),
        ),
      sendMessage: (message: OutgoingMessage, options: SendOptions = {}) =>
        this.#send(message, options, () => host.sendMessage(message, options)),
    } as unknown as PiHost;
  }

  #watchedContext(context: ExtensionContext): ExtensionContext {
    const abort = (): void => {
      this.#surroundings.onAbort(this);
      context.abort();
    };
    return { ...context, abort };
  }

  #hear(event: string, handle: () => void): void {
    this.#points.reach(`before ${event}`);
    if (event === "agent_start") this.#awaitsRun = false;
    this.#events.push(event);
    try {
      handle();
    } finally {
      this.#events.pop();
    }
    this.#points.reach(`after ${event}`);
  }

  #send(message: OutgoingMessage, options: SendOptions, send: () => void): void {
    this.#points.reach("before a send");
    this.#surroundings.onSend(this, message, options);
    const { kind } = this.#fault ?? {};
    if (kind === "dropped" || kind === "thrown") this.pi.sendFates.push(kind);
    else this.#awaitsRun = options.triggerTurn === true;
    send();
    this.#points.reach("after a send");
  }

  #write<Result>(work: () => Result): Result {
    this.#points.reach("before an entry is written");
    const result = work();
    this.#points.reach("after an entry is written");
    return result;
  }
}
