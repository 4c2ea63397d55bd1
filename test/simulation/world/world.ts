import { join } from "node:path";
import { DeferredTurnsError } from "../../../src/contracts/errors.ts";
import { turnIntentIdIn } from "../../../src/contracts/messageDetails.ts";
import type { ControllerStore } from "../../../src/store/controllerStore.ts";
import { codeOf } from "../../../src/turns/diagnostics.ts";
import type { SendMoment } from "../../support/fakePiTypes.ts";
import type { Broken } from "../invariants/broken.ts";
import { isJudged, judgeCall } from "../invariants/claims.ts";
import { judgeMessages } from "../invariants/messages.ts";
import { judgeRows } from "../invariants/rows.ts";
import { judgeSend } from "../invariants/sends.ts";
import { judgeTakeovers } from "../invariants/takeovers.ts";
import { Coverage } from "./coverage.ts";
import { isCrash } from "./crashed.ts";
import type { DatabaseState, DatabaseView } from "./databaseView.ts";
import { newsOf } from "./rowNews.ts";
import { type Disturbance, type Mode, SETTINGS, SimulatedProcess } from "./simulatedProcess.ts";
import { recordedMessages, SimulatedSession } from "./simulatedSession.ts";
import type { SimulationFolder } from "./simulationFolder.ts";
import type { StoreHome } from "./storeHome.ts";
import { Story } from "./story.ts";
import type { StoreWatch } from "./watchedStore.ts";
import { WorldTime } from "./worldTime.ts";

/** A message of ours that was handed to Pi, and how the world was. */
export interface SentMessage {
  readonly process: SimulatedProcess;
  readonly session: SimulatedSession;
  readonly intentId: string | undefined;
  readonly moment: SendMoment;
  /** Milliseconds of the world. */
  readonly at: number;
  /** How many runs had started in the process. */
  readonly run: number;
  /** What made leases lapse unnoticed in the sender since its own could have begun. */
  readonly disturbed: Disturbance | undefined;
  /** Whether the session's file showed a message of the intent already. */
  readonly wasInFile: boolean;
  /** How far the clocks of the processes were apart, milliseconds. */
  readonly clocksApart: number;
}

const NEVER = Number.NEGATIVE_INFINITY;

/** How many processes can run at once. */
export const SLOTS = 3;

/** Some processes with their sessions on one database, in one time. */
export class World {
  readonly time = new WorldTime();
  readonly story: Story;
  readonly coverage = new Coverage();
  readonly view: DatabaseView;
  readonly sessions: SimulatedSession[] = [];
  readonly slots: (SimulatedProcess | undefined)[] = Array.from({ length: SLOTS }, () => undefined);
  readonly sends: SentMessage[] = [];
  readonly toolErrors: { readonly process: SimulatedProcess; readonly error: unknown }[] = [];
  /** How often a process stood still in the middle of a call. */
  standstills = 0;
  readonly #all: SimulatedProcess[] = [];
  readonly #name: string;
  readonly #home: StoreHome;
  readonly #workflows: string;
  readonly #duplicates = new Set<string>();
  /** What the database held when the world was judged last. */
  #judged: DatabaseState;
  /** The last takeover of each run that was judged, by its place in the history. */
  readonly #takeovers = new Map<string, number>();
  #clockSetAt = NEVER;
  #ids = 0;
  #violation: Broken | undefined;

  /** A world is named by a number below 36⁴, from which its ids are made. */
  constructor(folder: SimulationFolder, number: number) {
    this.#name = number.toString(36).padStart(4, "0");
    this.#home = folder.homeFor(this.#name);
    this.#workflows = folder.workflows;
    this.view = this.#home.view;
    this.view.begin();
    this.#judged = this.view.state;
    this.story = new Story(this.time, this.#name);
  }

  /** The processes that run now. */
  get living(): readonly SimulatedProcess[] {
    return this.slots.flatMap((process) => (process?.isAlive === true ? [process] : []));
  }

  /** All processes that ever ran. */
  get everybody(): readonly SimulatedProcess[] {
    return this.#all;
  }

  /** The rule that was broken first. */
  get violation(): Broken | undefined {
    return this.#violation;
  }

  /** Whether no clock was ever set, and nobody stood still for as long as a lease: then all agree on which claims live. */
  get isUndisturbed(): boolean {
    return this.#clockSetAt === NEVER && this.#all.every(({ stoodStillAt }) => stoodStillAt === NEVER);
  }

  readonly newId = (): string => {
    this.#ids += 1;
    return `${this.#name}${this.#ids.toString(36).padStart(4, "0")}`;
  };

  newSession(persisted = true): SimulatedSession {
    const id = `session-${this.#name}${this.sessions.length + 1}`;
    const session = new SimulatedSession(id, persisted ? join(this.#home.folder, `${id}.jsonl`) : undefined);
    this.sessions.push(session);
    return session;
  }

  /** Starts a process in a slot that is free. */
  startProcess(slot: number, mode: Mode, session: SimulatedSession): SimulatedProcess {
    const process = new SimulatedProcess(
      {
        name: `${"ABCDEFGH"[slot] ?? slot}${this.#all.length + 1}`,
        mode,
        home: this.#home,
        workflowFolder: this.#workflows,
        time: this.time,
        newId: this.newId,
        guard: (work) => this.guard(process, work),
        observe: (caller, ...call) => this.#observe(caller, ...call),
        onSend: (sender, moment) => this.#sent(sender, moment),
        onToolError: (caller, error) => this.toolErrors.push({ process: caller, error }),
      },
      session,
    );
    this.#all.push(process);
    this.slots[slot] = process;
    this.story.tell(`process ${process.name} starts in ${mode} mode and opens ${session.id}.`);
    this.guard(process, () => process.open(session, "startup"));
    return process;
  }

  /** Lets Pi do its next step in a process. Returns whether there was one. */
  step(process: SimulatedProcess): boolean {
    if (!process.isAlive) return false;
    const moved = this.guard(process, () => process.pi.step()) ?? false;
    this.#exitIfDone(process);
    return moved;
  }

  /** Does something in a process, from which nothing may be thrown: Pi would end by it. */
  guard<Result>(process: SimulatedProcess, work: () => Result): Result | undefined {
    try {
      return work();
    } catch (error) {
      if (!isCrash(error)) this.violate("nothingThrows", `In ${process.name} something threw: ${describe(error)}`);
      return undefined;
    }
  }

  /** Does something with the store as another program does; a store that is locked right then says so, and nothing more. */
  asController(work: (store: ControllerStore) => void): void {
    const { store, giveBack } = this.#home.lend(() => this.time.wall);
    try {
      work(store);
    } catch (error) {
      if (codeOf(error) !== "STORE_BUSY") throw error;
      this.story.tell("the store is busy, and the controller gives up.");
    } finally {
      giveBack();
    }
  }

  violate(invariant: string, sentence: string): void {
    if (this.#violation !== undefined) return;
    this.#violation = { invariant, sentence };
    this.story.tell(`BROKEN ${invariant}: ${sentence}`);
  }

  /** Judges the world as it is now. */
  judge(): void {
    const before = this.#judged;
    this.view.refresh();
    const { state } = this.view;
    const broken =
      (state === before ? undefined : (judgeRows(this, before) ?? judgeTakeovers(this, before))) ?? judgeMessages(this);
    if (state !== before) this.#tellRows(before);
    this.#judged = state;
    if (broken !== undefined) this.violate(broken.invariant, broken.sentence);
  }

  /** Whether the run was taken over since this was asked last: a claim may also be new after a park. */
  isNewTakeover(runId: string): boolean {
    const last = this.view.lastTakeover(runId);
    const isNew = last !== this.#takeovers.get(runId);
    this.#takeovers.set(runId, last);
    return isNew && last > 0;
  }

  /** The tool may refuse what the agent asks, in the product's words; anything else that it throws is a defect. */
  judgeToolErrors(): void {
    for (const { process, error } of this.toolErrors) {
      if (isCrash(error) || error instanceof DeferredTurnsError) continue;
      this.violate("nothingThrows", `The tool or command of ${process.name} threw: ${describe(error)}`);
    }
  }

  /** Counts an intent that has two messages because a lease lapsed unnoticed in between. */
  admitDuplicate(intentId: string, excuse: Disturbance): void {
    if (this.#duplicates.has(intentId)) return;
    this.#duplicates.add(intentId);
    this.coverage.add("admitted duplicate", excuse);
    this.story.tell(`${this.story.nameOf(intentId)} has two messages, because of ${excuse}.`);
  }

  /** Notes that a clock was set: leases may have lapsed by it. */
  clockWasSet(): void {
    this.#clockSetAt = this.time.elapsed;
  }

  /** Closes what processes that have ended had open; call it while no call is under way. */
  bury(): void {
    for (const process of this.#all) if (!process.isAlive && process.standstills === 0) process.release();
  }

  close(): void {
    for (const process of this.#all) {
      this.coverage.addDiagnostics(process);
      process.end("killed");
      process.release();
    }
    this.view.unlock();
  }

  #disturbanceSince(process: SimulatedProcess, since: number): Disturbance | undefined {
    if (process.stoodStillAt >= since) return "a process that stood still";
    return this.#clockSetAt >= since ? "a clock that was set" : undefined;
  }

  #observe(process: SimulatedProcess, ...[operation, argument, call]: Parameters<StoreWatch["observe"]>): unknown {
    if (!isJudged(operation)) return call();
    this.view.refresh();
    const { state: before } = this.view;
    const result = call();
    const broken = judgeCall({ operation, argument, result, before, now: process.clock.now() });
    if (broken !== undefined) this.violate(broken.invariant, `${process.name}: ${broken.sentence}`);
    return result;
  }

  #sent(process: SimulatedProcess, moment: SendMoment): void {
    const { session } = process;
    const intentId = turnIntentIdIn(moment.message.details);
    const since = this.time.elapsed - SETTINGS.turns.deliveryLeaseMs;
    const at = this.time.elapsed;
    const disturbed = this.#disturbanceSince(process, since);
    const clocks = this.living.map(({ clock }) => clock.ahead);
    const clocksApart = Math.max(...clocks) - Math.min(...clocks);
    const wasInFile =
      intentId !== undefined && recordedMessages(session.stored()).some((message) => message.intentId === intentId);
    const run = process.runs;
    const sent = { process, session, intentId, moment, at, run, disturbed, clocksApart, wasInFile };
    this.sends.push(sent);
    const about = intentId === undefined ? "" : ` for ${this.story.nameOf(intentId)}`;
    const fate = moment.fate === "taken" ? "" : ` (it will be ${moment.fate})`;
    this.story.tell(`${process.name} hands Pi the message "${moment.message.customType}"${about}${fate}.`);
    this.coverage.sent(sent);
    this.view.refresh();
    const broken = judgeSend(this, sent);
    if (broken !== undefined) this.violate(broken.invariant, broken.sentence);
  }

  /** Says what is new in the database. */
  #tellRows(before: DatabaseState): void {
    for (const sentence of newsOf(before, this.view.state, this)) this.story.tell(`the store: ${sentence}.`);
  }

  #exitIfDone(process: SimulatedProcess): void {
    const { pi, next } = process;
    if (!process.isAlive) return;
    if (pi.isGone) {
      process.next = undefined;
      if (next !== undefined) this.guard(process, next);
      else {
        this.story.tell(`process ${process.name} has exited.`);
        process.end("exited");
      }
    } else if (!process.isResident && process.wasPrompted && pi.isAtRest && !pi.isLeaving) pi.leave("quit");
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
