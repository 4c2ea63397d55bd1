import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { DeferredTurns } from "../../../src/pi/bindDeferredTurns.ts";
import { bindWorkflows } from "../../../src/runtime/bindWorkflows.ts";
import type { CommandEnd, StartCommand } from "../../../src/runtime/commandStep.ts";
import type { RuntimeSettings } from "../../../src/runtime/settings.ts";
import type { ControllerStore } from "../../../src/store/controllerStore.ts";
import { createProcessMemory, type ProcessMemory } from "../../../src/turns/processMemory.ts";
import { FakePi } from "../../support/fakePi.ts";
import type { FakePiOptions, SendMoment } from "../../support/fakePiTypes.ts";
import { type Border, type Moment, springsAt, type Trap } from "./borders.ts";
import { Crashed } from "./crashed.ts";
import type { SimulatedSession } from "./simulatedSession.ts";
import type { StoreHome, StoreLoan } from "./storeHome.ts";
import { type StoreFault, type StoreWatch, watchedStore } from "./watchedStore.ts";
import { ProcessClock, type WorldTime } from "./worldTime.ts";

/** The modes in which Pi runs. */
export type Mode = "tui" | "rpc" | "print" | "json";

/** Short leases, so that little time passes until one lapses. */
export const SETTINGS: RuntimeSettings = {
  turns: { syncIntervalMs: 1000, deliveryLeaseMs: 5000, maxSends: 3 },
  queueLeaseMs: 6000,
  queueRenewMs: 2000,
};

/** What is left of a delivery's lease at least, because it is renewed in time. */
export const LEAST_LEASE_MS = Math.floor((SETTINGS.turns.deliveryLeaseMs * 2) / 3) - SETTINGS.turns.syncIntervalMs;

/** What a process gets of its world. */
export interface ProcessParts {
  readonly name: string;
  readonly mode: Mode;
  readonly home: StoreHome;
  readonly workflowFolder: string;
  readonly time: WorldTime;
  readonly newId: () => string;
  /** Does something that nothing may be thrown from. */
  readonly guard: (work: () => void) => void;
  /** Does a call of the store, seeing what it is asked and what it answers. */
  readonly observe: (process: SimulatedProcess, ...call: Parameters<StoreWatch["observe"]>) => unknown;
  readonly onSend: (process: SimulatedProcess, moment: SendMoment) => void;
  readonly onToolError: (process: SimulatedProcess, error: unknown) => void;
}

/** What makes a lease lapse without its holder's noticing. */
export type Disturbance =
  | "a process that stood still"
  | "a store out of its holder's reach"
  | "a clock that was set"
  | "clocks that disagree";

/** A time in which a process stood still in the middle of a call. */
interface Standstill {
  /** The runs that were held when it began. */
  readonly heldBefore: ReadonlySet<string>;
  /** Milliseconds of the world. */
  readonly endedAt: number;
}

/** A command of a workflow's step that runs. */
interface RunningCommand {
  readonly end: (end: CommandEnd) => void;
}

/** A Pi process with the extension in it: the product's code on a fake Pi, with a store connection of its own. */
export class SimulatedProcess {
  readonly name: string;
  readonly mode: Mode;
  readonly clock: ProcessClock;
  readonly memory: ProcessMemory = createProcessMemory();
  readonly commands = new Set<RunningCommand>();
  /** Every instance of the extension that the process has loaded. */
  readonly instances: DeferredTurns[] = [];
  readonly parts: ProcessParts;
  fault: StoreFault | undefined;
  trap: Trap | undefined;
  /** The calls under way that are held up by a standstill. */
  standstills = 0;
  /** When the process last stood still for so long that its lease could lapse, milliseconds of the world. */
  stoodStillAt = Number.NEGATIVE_INFINITY;
  /** However short it was. */
  lastStandstill: Standstill | undefined;
  /** When the store failed it, milliseconds of the world. */
  readonly storeFailures: number[] = [];
  /** When the user's last prompt arrived, and how many runs have started; milliseconds of the world. */
  typedAt = Number.NEGATIVE_INFINITY;
  runs = 0;
  /** When the session was opened, by the process's own clock. */
  openedAt = 0;
  /** When the last run settled, milliseconds of the world. */
  settledAt = Number.NEGATIVE_INFINITY;
  pi: FakePi;
  session: SimulatedSession;
  /** Whether the prompt that a process in print or json mode was started with has been given. */
  wasPrompted = false;
  /** What follows when Pi has left its session; a process without a next one exits. */
  next: (() => void) | undefined;
  readonly #silenced = new Set<string>();
  #state: "alive" | "exited" | "killed" = "alive";
  #loan: StoreLoan | undefined;

  constructor(parts: ProcessParts, session: SimulatedSession) {
    this.parts = parts;
    this.name = parts.name;
    this.mode = parts.mode;
    this.session = session;
    this.clock = new ProcessClock(parts.time, () => this.standstills > 0);
    this.pi = this.#newPi(session);
  }

  get isAlive(): boolean {
    return this.#state === "alive";
  }

  /** Whether the user pressed Escape in a turn of the session and has not said anything since. */
  get isSilenced(): boolean {
    return this.#silenced.has(this.session.id);
  }

  get isKilled(): boolean {
    return this.#state === "killed";
  }

  get isResident(): boolean {
    return this.mode === "tui" || this.mode === "rpc";
  }

  /** Opens a session with a new instance of the extension in it. */
  open(session: SimulatedSession, reason: "startup" | "new" | "resume" | "fork"): void {
    this.session = session;
    this.pi = this.#newPi(session);
    this.#bind();
    this.pi.start(reason);
  }

  /** `/reload`. Returns false when Pi refuses it. */
  reload(): boolean {
    if (!this.pi.reload()) return false;
    this.#bind();
    this.pi.start("reload");
    return true;
  }

  /** The user said something, by a prompt or by a command that sets a workflow going. */
  userReturned(): void {
    this.#silenced.delete(this.session.id);
  }

  /** The agent calls the workflow tool; what the tool throws, Pi shows to the agent. */
  callTool(parameters: object): void {
    const tool = this.pi.extension.tools.get("workflow");
    const called = tool?.execute("call", parameters) ?? Promise.resolve();
    called.catch((error: unknown) => this.parts.onToolError(this, error));
  }

  /** A person types a `/workflow` command. */
  command(line: string): void {
    const { extension } = this.pi;
    const called = extension.commands.get("workflow")?.handler(line, extension.context) ?? Promise.resolve();
    called.catch((error: unknown) => this.parts.onToolError(this, error));
  }

  /** The process ends by itself, or is killed in the middle of what it does. */
  end(how: "exited" | "killed"): void {
    if (!this.isAlive) return;
    this.#state = how;
    this.clock.stop();
    this.commands.clear();
    this.pi.kill();
    this.trap = undefined;
  }

  /** Gives back the connection of a process that has ended; call it when none of its calls is under way. */
  release(): void {
    this.#loan?.giveBack();
    this.#loan = undefined;
  }

  /** Passes a border, where a trap may spring before and after. A killed process passes none. */
  readonly cross = <Result>(border: Border, work: () => Result): Result => {
    this.#reach(`before ${border}`);
    const result = work();
    this.#reach(`after ${border}`);
    return result;
  };

  #reach(moment: Moment): void {
    this.#assertAlive();
    const { trap } = this;
    if (trap === undefined || !springsAt(trap, moment)) return;
    this.trap = undefined;
    trap.spring(moment);
    this.#assertAlive();
  }

  #assertAlive(): void {
    if (!this.isAlive) throw new Crashed();
  }

  #newPi(session: SimulatedSession): FakePi {
    const { newId, onSend } = this.parts;
    const options: FakePiOptions = {
      mode: this.mode,
      id: session.id,
      stored: session.stored(),
      newEntryId: newId,
      onSend: (moment) => onSend(this, moment),
      cross: this.cross,
    };
    return new FakePi(session.file === undefined ? options : { ...options, file: session.file });
  }

  #bind(): void {
    this.openedAt = this.clock.now();
    const { clock, memory, parts, pi } = this;
    // What the user wants, as nobody but the user knows it.
    pi.host.on("agent_settled", () => {
      this.settledAt = parts.time.elapsed;
      if (pi.abortedBy.has("person") && pi.abortedBy.size === 1) this.#silenced.add(this.session.id);
    });
    pi.host.on("before_agent_start", ({ messageType }) => {
      this.runs += 1;
      if (messageType === "user") this.userReturned();
    });
    const turns = bindWorkflows(pi.host, {
      settings: SETTINGS,
      memory,
      now: clock.now,
      every: (intervalMs, tick) => clock.every(intervalMs, () => parts.guard(tick)),
      after: (delayMs, tick) => clock.after(delayMs, () => parts.guard(tick)),
      newId: parts.newId,
      startCommand: this.#startCommand,
      runnerId: parts.name,
      openStore: () => this.#openStore(),
      workplaceOf: ({ cwd }: ExtensionContext) => ({ cwd, trusted: true, folders: { project: parts.workflowFolder } }),
    });
    this.instances.push(turns);
  }

  #openStore(): ControllerStore {
    this.#assertAlive();
    this.#loan ??= this.parts.home.lend(this.clock.now);
    return watchedStore(this.#loan.store, {
      cross: this.cross,
      assertAlive: () => this.#assertAlive(),
      fault: () => this.fault,
      onFailure: () => {
        this.storeFailures.push(this.parts.time.elapsed);
      },
      observe: (operation, argument, call) => this.parts.observe(this, operation, argument, call),
    });
  }

  readonly #startCommand: StartCommand = (_step, _cwd, onEnd) => {
    const command: RunningCommand = {
      end: (end) => {
        if (this.commands.delete(command)) this.parts.guard(() => onEnd(end));
      },
    };
    this.commands.add(command);
    return () => void this.commands.delete(command);
  };
}
