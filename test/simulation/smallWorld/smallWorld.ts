import type { OutgoingMessage, SendOptions } from "../../../src/turns/session.ts";
import type { SettlementCause } from "../../../src/turns/sessionGate.ts";
import { ACTS, type ActName } from "./acts.ts";
import type { Fault, Point } from "./points.ts";
import { brokenSendRules } from "./rules/sendRules.ts";
import type { Violation } from "./rules/violation.ts";
import { INTENT_IDS, RUN_IDS, type Run, type RunName, type RunState, result } from "./runs.ts";
import { LEASE_MS, type ProcessName, SmallProcess } from "./smallProcess.ts";
import type { IntentRow, WorldFiles } from "./worldFiles.ts";

/** One thing that happens: time passes, a process dies between two of its acts, or it acts, and something may go wrong in that. */
export type Step =
  | { readonly kind: "time" }
  | { readonly kind: "start" | "die"; readonly by: ProcessName }
  | { readonly kind: "act"; readonly act: ActName; readonly by: ProcessName; readonly fault?: Fault };

/** A question to ask of two processes, two intents and a few faults: how it begins, and what can happen. */
export interface WorldPlan {
  readonly name: string;
  readonly tells: string;
  readonly begins: (world: SmallWorld) => void;
  readonly acts: readonly ActName[];
  readonly faults: { readonly most: number; readonly kinds: readonly Fault["kind"][] };
  /** When the second process may open the session. */
  readonly secondStarts: (world: SmallWorld) => boolean;
  /** How many steps show most of what can go wrong, in a few seconds. */
  readonly quickDepth: number;
}

/** What a step showed of itself: at which points a death would leave something new, and what the store was asked. */
export interface StepReport {
  readonly points: readonly Point[];
  readonly storeCalls: readonly string[];
  readonly sends: number;
}

/** Time passes in these steps: a claim wants renewing after one, and has lapsed after two. */
const TIME_STEP_MS = LEASE_MS / 2;

/** Two processes, two intents of one session, and what the world itself knows of them. */
export class SmallWorld {
  readonly plan: WorldPlan;
  readonly files: WorldFiles;
  readonly processes: Readonly<Record<ProcessName, SmallProcess>>;
  readonly runs: Readonly<Record<RunName, Run>> = {
    first: { state: "going", hosts: new Set() },
    second: { state: "going", hosts: new Set() },
  };
  readonly violations: Violation[] = [];
  /** Processes in which the person pressed Escape and has not spoken since. */
  readonly silenced = new Set<ProcessName>();
  /** How many passes a prompt has been in preflight, by process. */
  readonly preflightPasses = new Map<ProcessName, number>();
  /** When each process opened the session. */
  readonly startedAt = new Map<ProcessName, number>();
  isHeld = false;
  faults = 0;
  /** Whether a store call was made to fail. */
  storeFailed = false;
  /** The process in which the second run's prompt waits or is on its way, and since when. */
  prompt: { readonly holder: ProcessName; readonly since: number } | undefined;
  #escaping: ProcessName | undefined;
  #interrupting: RunName | undefined;
  #sends = 0;
  #points: Point[] = [];
  #lastDurable = "";
  #isWatched = false;

  constructor(plan: WorldPlan, files: WorldFiles) {
    this.plan = plan;
    this.files = files;
    files.clear();
    const process = (name: ProcessName): SmallProcess => this.#process(name);
    this.processes = { A: process("A"), B: process("B"), C: process("C") };
    plan.begins(this);
  }

  get now(): number {
    return this.files.now;
  }

  get alive(): readonly SmallProcess[] {
    return Object.values(this.processes).filter(({ isAlive }) => isAlive);
  }

  /** The intents as they are committed now. */
  get rows(): readonly IntentRow[] {
    return this.files.rows();
  }

  row(name: RunName): IntentRow | undefined {
    return this.rows.find(({ intent_id }) => intent_id === INTENT_IDS[name]);
  }

  /** All that could happen next, faults left aside. */
  steps(): readonly Step[] {
    const acts = this.alive.flatMap((process) =>
      this.plan.acts
        .filter((act) => ACTS[act].mayHappen(this, process))
        .map((act): Step => ({ kind: "act", act, by: process.name })),
    );
    const { B } = this.processes;
    return [
      ...acts,
      ...(this.alive.every(({ isAwake }) => isAwake) ? [{ kind: "time" } as const] : []),
      ...(B.life === "unborn" && this.plan.secondStarts(this) ? [{ kind: "start", by: "B" } as const] : []),
      ...(this.mayFail("crash") ? this.alive.map(({ name }) => ({ kind: "die", by: name }) as const) : []),
    ];
  }

  mayFail(kind: Fault["kind"]): boolean {
    return this.faults < this.plan.faults.most && this.plan.faults.kinds.includes(kind);
  }

  /** Does a step, and tells where something could go wrong in it. */
  watch(step: Step): StepReport {
    this.#points = [];
    this.#sends = 0;
    this.#lastDurable = "";
    this.#isWatched = this.mayFail("crash");
    this.take(step);
    this.#isWatched = false;
    const storeCalls = step.kind === "act" ? this.processes[step.by].storeCalls : [];
    return { points: this.#points, storeCalls, sends: this.#sends };
  }

  /** Does a step. What it broke stands in `violations` after it. */
  take(step: Step): void {
    if (step.kind === "time") {
      this.files.now += TIME_STEP_MS;
      for (const process of this.alive) process.timeGoesBy();
      return;
    }
    const process = this.processes[step.by];
    switch (step.kind) {
      case "start":
        this.#act(process, undefined, () => this.start(step.by));
        return;
      case "die":
        this.#die(process);
        return;
      case "act":
        this.#act(process, step.fault, () => ACTS[step.act].happens(this, process));
    }
  }

  start(name: ProcessName): void {
    this.startedAt.set(name, this.now);
    this.processes[name].start();
  }

  /** A process is about to bring a run into a state. */
  runEnters(name: RunName, state: RunState, process: SmallProcess): void {
    this.runs[name].state = state;
    this.runs[name].hosts.add(process.name);
  }

  /** A run is about to be interrupted in a process. */
  isInterrupting(name: RunName, process: SmallProcess, state: RunState): void {
    this.runEnters(name, state, process);
    this.#interrupting = name;
    this.personSpeaks(process);
  }

  /** A run was interrupted: its turn must be aborted. */
  wasInterrupted(name: RunName, isAborted: boolean): void {
    this.#interrupting = undefined;
    if (!isAborted) this.violations.push({ rule: "an interrupted turn is aborted, whatever fails", at: RUN_IDS[name] });
  }

  passes({ name, pi }: SmallProcess): void {
    const passes = this.preflightPasses.get(name);
    if (passes !== undefined && !pi.isRunActive) this.preflightPasses.set(name, passes + 1);
  }

  personSpeaks({ name }: SmallProcess): void {
    this.silenced.delete(name);
  }

  personIsAboutToEscape({ name }: SmallProcess): void {
    this.#escaping = name;
  }

  personResumes(process: SmallProcess): void {
    this.files.store(process.name).resumeWorkflowRun({ runId: RUN_IDS.second });
    this.isHeld = false;
    this.personSpeaks(process);
  }

  #process(name: ProcessName): SmallProcess {
    const { files } = this;
    return new SmallProcess(name, {
      sessionFile: files.sessionFile,
      storedEntries: () => files.entries(),
      store: files.store(name),
      now: () => files.now,
      onPoint: (_process, point) => this.#reached(point),
      onAbort: () => this.#aborted(),
      onSend: (process, message, options) => this.#sent(process, message, options),
      onStart: (process) => this.#presentAgain(process),
      onSettled: (process, cause) => this.#settled(process, cause),
    });
  }

  #act(process: SmallProcess, fault: Fault | undefined, work: () => void): void {
    if (fault !== undefined) this.faults += 1;
    if (fault?.kind === "storeFails") this.storeFailed = true;
    process.step(fault, work);
  }

  #die(process: SmallProcess): void {
    this.faults += 1;
    process.kill();
  }

  /** Of the points with the same durable state all but the first are left out: a death at them leaves the same world. */
  #reached(point: Point): void {
    if (!this.#isWatched) return;
    const durable = this.files.durableState();
    if (durable !== this.#lastDurable) this.#points.push(point);
    this.#lastDurable = durable;
  }

  /** An interrupted turn is about to be aborted: by now its intent must be stored. */
  #aborted(): void {
    const name = this.#interrupting;
    if (name === undefined || this.storeFailed || this.row(name) !== undefined) return;
    this.violations.push({ rule: "an intent is stored before its turn is aborted", at: RUN_IDS[name] });
  }

  #sent(process: SmallProcess, message: OutgoingMessage, options: SendOptions): void {
    this.#sends += 1;
    for (const rule of brokenSendRules({ world: this, process, message, options })) {
      this.violations.push({ rule, at: `${process.name} sends "${message.content.slice(0, 40)}"` });
    }
  }

  /** A run that is done offers its result again where the session is opened, until it was seen. */
  #presentAgain(process: SmallProcess): void {
    if (this.runs.second.state !== "presenting" || this.row("second")?.resolved_at !== null) return;
    process.session.deliver(result());
  }

  #settled(process: SmallProcess, cause: SettlementCause): void {
    if (this.#escaping !== process.name) return;
    this.#escaping = undefined;
    this.silenced.add(process.name);
    this.isHeld = true;
    if (cause === "userAbort") this.files.store(process.name).holdWorkflowRun({ runId: RUN_IDS.second });
  }
}
