import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { WorkflowHost } from "../../src/runtime/bindWorkflows.ts";
import type { OutgoingMessage, SendOptions } from "../../src/turns/session.ts";
import { entryIds } from "./entryIds.ts";
import { FakeExtension, type FakeSessionPort } from "./fakeExtension.ts";
import type { FakePiOptions, Incoming, ModelCall, SendFate, SendMoment } from "./fakePiTypes.ts";
import { type FakeEntry, FakeSessionLog } from "./fakeSessionLog.ts";

function announcement(message: Incoming): object {
  if ("user" in message) return { messageType: "user", prompt: message.user };
  return { messageType: "custom", message: message.custom };
}

/**
 * A session that behaves as Pi does, held to it by the suite that runs against both: a send has no receipt, an entry
 * appears only when its run reaches the first `context`, what is sent inside a settled handler is deferred until all
 * handlers have finished, follow-ups wait in memory and are lost or stranded by an abort. Everything is synchronous:
 * a run that a message starts stands still until `flush`, or goes on event by event with `step`.
 */
export class FakePi {
  readonly entries: FakeEntry[];
  readonly sent: { readonly message: OutgoingMessage; readonly options: SendOptions }[] = [];
  readonly notices: string[] = [];
  /** The message that each call of the model was about. */
  readonly modelCalls: string[] = [];
  /** What the next model calls do, in order; a call without a script just answers. */
  readonly script: ModelCall[] = [];
  /**
   * What happens to the next sends, in order: taken as usual; dropped when the start of their run fails; swallowed
   * among the deferred ones when an earlier one of those fails; thrown back; or recorded twice.
   */
  readonly sendFates: SendFate[] = [];
  /** The prompts that Pi refused because a run was active. */
  readonly refusals: string[] = [];
  /** While set, another extension's settled handler is still at work after ours. */
  slowSettlement = false;
  /** While set, another extension's handler keeps a prompt of the user in preflight. */
  slowPreflight = false;
  compacting = false;
  readonly log: FakeSessionLog;
  readonly #options: FakePiOptions;
  readonly #port: FakeSessionPort;
  readonly #newEntryId: () => string;
  readonly #followUps: Incoming[] = [];
  /** Messages that start no turn and wait for the end of the one that runs. */
  readonly #passive: OutgoingMessage[] = [];
  /** What was asked for during a settlement. */
  readonly #deferred: (() => void)[] = [];
  readonly #emitting: string[] = [];
  #extension: FakeExtension;
  #phase: SendMoment["phase"] = "idle";
  /** What a run that starts will be about; undefined when its start is going to fail. */
  #trigger: Incoming | undefined;
  #preflight: string | undefined;
  #isThinking = false;
  #abortedBy = new Set<"extension" | "person" | "closing">();
  #leaving: string | undefined;
  #isGone = false;
  /** What goes on, event by event: a run, and what follows from its settlement. */
  #work: Generator<"stepped" | "blocked", void> | undefined;
  #isStepping = false;

  constructor(options: FakePiOptions = {}) {
    const { mode = "tui", id = "session-1", file, stored = [], newEntryId = entryIds() } = options;
    const cross = options.cross ?? ((_border, work) => work());
    this.#options = options;
    this.#newEntryId = newEntryId;
    this.log = new FakeSessionLog({ id, file, stored, newEntryId, write: (work) => cross("write", work) });
    this.entries = this.log.entries;
    this.#port = {
      id,
      file,
      mode,
      send: (message, sendOptions) => cross("send", () => this.#send(message, sendOptions)),
      isIdle: () => !this.isRunActive && !this.compacting,
      abort: () => this.#abort("extension"),
      entries: () => cross("entries", () => this.entries),
      branch: () => cross("entries", () => this.log.branch()),
      notify: (text) => void this.notices.push(text),
    };
    this.#extension = new FakeExtension(this.#port);
  }

  get host(): WorkflowHost {
    return this.#extension.host;
  }

  get context(): ExtensionContext {
    return this.#extension.context;
  }

  get extension(): FakeExtension {
    return this.#extension;
  }

  get phase(): SendMoment["phase"] {
    return this.#phase;
  }

  get isRunActive(): boolean {
    return this.#phase === "starting" || this.#phase === "running";
  }

  /** Whether the model is at work, so that it may call tools. */
  get isThinking(): boolean {
    return this.#isThinking && !this.#aborted;
  }

  /** Who aborted the run that is active or was last. */
  get abortedBy(): ReadonlySet<"extension" | "person" | "closing"> {
    return this.#abortedBy;
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  get isLeaving(): boolean {
    return this.#leaving !== undefined;
  }

  get isInPreflight(): boolean {
    return this.#preflight !== undefined;
  }

  /** Whether nothing runs, and nothing is left to come. */
  get isAtRest(): boolean {
    return this.#work === undefined && this.#phase === "idle" && this.#preflight === undefined;
  }

  start(reason = "startup"): void {
    this.#emit("session_start", { reason });
  }

  /** Tells the extension an event that Pi's own work does not bring about. */
  announce(event: "session_before_switch" | "session_before_fork" | "session_tree" | "session_compact"): void {
    this.#emit(event, {});
  }

  /** The session ends; a run that is active is aborted and settles first. */
  shutdown(reason = "quit"): void {
    this.leave(reason);
    this.flush();
  }

  /** The session is to end: as `shutdown`, but its steps are still to be taken. */
  leave(reason: string): void {
    this.#preflight = undefined;
    this.#abort("closing");
    this.#leaving = reason;
  }

  /** `/reload`: a new instance of the extension takes the place of the old one. Pi refuses it while a run is active. */
  reload(): boolean {
    if (this.isRunActive || this.#leaving !== undefined) return false;
    this.#emit("session_shutdown", { reason: "reload" });
    this.#extension.retire();
    this.#extension = new FakeExtension(this.#port);
    return true;
  }

  /** The process is killed: nothing happens any more, and nobody is told. */
  kill(): void {
    this.#isGone = true;
    this.#leaving = undefined;
    this.#extension.retire();
    this.#extension = new FakeExtension(this.#port);
    this.#work = undefined;
  }

  /** A person's prompt, from the input to the settlement and to all that follows from it. Throws when a run is active. */
  prompt(text: string, ...script: readonly ModelCall[]): void {
    if (this.#phase === "settling") {
      this.#deferred.push(() => this.prompt(text, ...script));
      return;
    }
    this.input();
    if (this.isRunActive) throw new Error("Agent is already processing.");
    this.script.push(...script);
    this.#begin({ user: text });
    this.flush();
  }

  /** A person's prompt arrives and is in preflight; the steps that follow let it begin, or refuse it. */
  type(text: string): void {
    if (this.#phase === "settling") {
      this.#deferred.push(() => this.type(text));
      return;
    }
    this.#preflight = text;
    this.input();
  }

  /** Another extension answers the prompt that is in preflight itself: nothing more comes of it. */
  dropPreflight(): void {
    this.#preflight = undefined;
  }

  /** A prompt arrives and is in preflight; whether a run follows is not said. */
  input(): void {
    this.#emit("input", { source: "interactive" });
  }

  /** A person presses Escape. */
  escape(): void {
    this.#abort("person");
  }

  /** Lets everything that was started go to its end. */
  flush(): void {
    while (this.step()) {
      // Each step does its own work.
    }
  }

  /** Does the next thing that is to come. False when there is none, or when another extension is in its way. */
  step(): boolean {
    if (this.#isStepping || this.#isGone) return false;
    this.#isStepping = true;
    try {
      // Nothing comes between a settlement and the end of a session that a person left.
      if (this.#close()) return true;
      const moved = this.#admitPrompt() || this.#goOn();
      return this.#close() || moved;
    } finally {
      this.#isStepping = false;
    }
  }

  /** The other extension's settled handler returns, and Pi turns to what was deferred meanwhile. */
  finishSettlement(): void {
    this.slowSettlement = false;
    this.flush();
  }

  get #aborted(): boolean {
    return this.#abortedBy.size > 0;
  }

  #admitPrompt(): boolean {
    const text = this.#preflight;
    if (text === undefined || this.slowPreflight || this.#phase === "settling") return false;
    this.#preflight = undefined;
    if (this.isRunActive) this.refusals.push(text);
    else this.#begin({ user: text });
    return true;
  }

  #goOn(): boolean {
    if (this.#work === undefined && this.#phase === "starting") this.#work = this.#startedRun();
    const work = this.#work;
    if (work === undefined) return false;
    this.#work = undefined;
    const { done, value } = work.next();
    if (done !== true && !this.#isGone) this.#work = work;
    return value !== "blocked";
  }

  #close(): boolean {
    if (this.#leaving === undefined || this.isRunActive) return false;
    const reason = this.#leaving;
    this.#leaving = undefined;
    this.#work = undefined;
    this.#emit("session_shutdown", { reason });
    this.#isGone = true;
    this.#extension.retire();
    return true;
  }

  #emit(event: string, data: object): void {
    this.#emitting.unshift(event);
    try {
      this.#extension.emit(event, data);
    } finally {
      this.#emitting.shift();
    }
  }

  #send(message: OutgoingMessage, options: SendOptions): void {
    const fate = this.sendFates.shift() ?? "taken";
    const id = this.#newEntryId();
    this.#options.onSend?.({ ...this.#moment(), id, message, options, fate });
    if (this.#isGone) return;
    if (fate === "thrown") throw new Error("Pi refuses the message.");
    this.sent.push({ message, options });
    const incoming = { custom: message, id, copies: fate === "doubled" ? 2 : 1 };
    if (fate !== "swallowed") this.#take(message, options, fate === "dropped" ? undefined : incoming);
  }

  #moment(): Omit<SendMoment, "id" | "message" | "options" | "fate"> {
    return {
      during: [...this.#emitting],
      phase: this.#phase,
      aborted: this.#aborted,
      compacting: this.compacting,
      leaving: this.#leaving !== undefined,
      inPreflight: this.#preflight !== undefined,
    };
  }

  #take(message: OutgoingMessage, options: SendOptions, trigger: Incoming | undefined): void {
    const { triggerTurn } = options;
    if (this.isRunActive) {
      if (triggerTurn === false) this.#passive.push(message);
      else if (trigger !== undefined) this.#followUps.push(trigger);
    } else if (triggerTurn !== true) this.log.custom(message);
    else if (this.#phase === "settling") this.#deferred.push(() => this.#take(message, options, trigger));
    else this.#begin(trigger);
  }

  #begin(trigger: Incoming | undefined): void {
    this.#phase = "starting";
    this.#trigger = trigger;
    this.#abortedBy = new Set();
  }

  *#startedRun(): Generator<"stepped" | "blocked", void> {
    if (this.#trigger === undefined) this.#phase = "idle";
    else yield* this.#run(this.#trigger);
  }

  *#run(trigger: Incoming): Generator<"stepped" | "blocked", void> {
    this.#phase = "running";
    this.#emit("before_agent_start", announcement(trigger));
    yield "stepped";
    this.#appendPassive();
    for (let next: Incoming | undefined = trigger; next !== undefined; next = this.#nextFollowUp()) {
      yield* this.#answer(next);
    }
    this.#appendPassive();
    this.#phase = "settling";
    this.#emit("agent_settled", { aborted: this.#aborted });
    yield "stepped";
    while (this.slowSettlement) yield "blocked";
    yield* this.#afterSettlement();
  }

  /** Answers a message and the follow-ups that arrive meanwhile. */
  *#answer(first: Incoming): Generator<"stepped", void> {
    this.#emit("agent_start", {});
    yield "stepped";
    for (let next: Incoming | undefined = first; next !== undefined; next = this.#nextFollowUp()) {
      yield* this.#turn(next);
    }
    this.#emit("agent_end", { messages: [] });
    yield "stepped";
  }

  #nextFollowUp(): Incoming | undefined {
    return this.#aborted ? undefined : this.#followUps.shift();
  }

  /** One message and the model's answer to it, for which an aborted run does not ask the model. */
  *#turn(message: Incoming): Generator<"stepped", void> {
    this.#record(message);
    this.#emit("context", { messages: [] });
    yield "stepped";
    if (!this.#aborted) {
      this.#isThinking = true;
      this.#callModel("user" in message ? message.user : message.custom.content);
      yield "stepped";
      this.#isThinking = false;
    }
    this.log.assistant(this.#aborted ? "aborted" : "stop");
    this.#appendPassive();
  }

  #record(message: Incoming): void {
    if ("user" in message) this.log.user();
    else for (let copy = 0; copy < message.copies; copy += 1) this.log.custom(message.custom, message.id);
  }

  #callModel(input: string): void {
    this.modelCalls.push(input);
    this.script.shift()?.({ abort: () => this.#abort("extension"), isAborted: () => this.#aborted });
  }

  #appendPassive(): void {
    for (const message of this.#passive.splice(0)) this.log.custom(message);
  }

  /** Does one after the other what was deferred; one that is refused takes the later ones with it. */
  *#afterSettlement(): Generator<"stepped" | "blocked", void> {
    this.#phase = "idle";
    for (const action of this.#deferred.splice(0)) {
      action();
      if (this.isRunActive) yield* this.#startedRun();
    }
  }

  /** In the terminal an abort clears what was queued; elsewhere it stays and strands until the next prompt. */
  #abort(by: "extension" | "person" | "closing"): void {
    if (this.isRunActive) this.#abortedBy.add(by);
    if (this.#port.mode === "tui") this.#followUps.length = 0;
  }
}
