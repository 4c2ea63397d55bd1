import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { PiHost } from "../../src/pi/piSession.ts";
import type { OutgoingMessage, SendOptions, SessionEntryView } from "../../src/turns/session.ts";
import { FakeSessionLog } from "./fakeSessionLog.ts";

type Handler = (event: unknown, context: ExtensionContext) => unknown;

/** What the scripted model does in one call, while the turn runs. */
export type ModelCall = (turn: { readonly abort: () => void; readonly isAborted: () => boolean }) => void;

/** What the model is to answer. */
type Incoming = { readonly user: string } | { readonly custom: OutgoingMessage };

function announcement(message: Incoming): object {
  if ("user" in message) return { messageType: "user", prompt: message.user };
  return { messageType: "custom", message: message.custom };
}

const STALE = "This extension context is stale.";

/**
 * A session that behaves as Pi does, held to it by the suite that runs against both: a send has no receipt, an entry
 * appears only when its run reaches the first `context`, what is sent inside a settled handler is deferred until all
 * handlers have finished, follow-ups wait in memory and are lost or stranded by an abort. Everything is synchronous:
 * a run that a message starts stands still until `flush`.
 */
export class FakePi {
  readonly entries: SessionEntryView[];
  readonly sent: { readonly message: OutgoingMessage; readonly options: SendOptions }[] = [];
  readonly notices: string[] = [];
  /** The message that each call of the model was about. */
  readonly modelCalls: string[] = [];
  /** What the next model calls do, in order; a call without a script just answers. */
  readonly script: ModelCall[] = [];
  /**
   * What happens to the next sends, in order: taken as usual; dropped when the start of their run fails; swallowed
   * among the deferred ones when an earlier one of those fails; or thrown back.
   */
  readonly sendFates: ("taken" | "dropped" | "swallowed" | "thrown")[] = [];
  /** While set, another extension's settled handler is still at work after ours. */
  slowSettlement = false;
  compacting = false;
  readonly host: PiHost;
  readonly context: ExtensionContext;
  readonly #log: FakeSessionLog;
  readonly #handlers = new Map<string, Handler[]>();
  readonly #followUps: OutgoingMessage[] = [];
  /** Messages that start no turn and wait for the end of the one that runs. */
  readonly #passive: OutgoingMessage[] = [];
  /** What was asked for during a settlement. */
  readonly #deferred: (() => void)[] = [];
  #phase: "idle" | "starting" | "running" | "settling" = "idle";
  /** What a run that starts will be about; undefined when its start is going to fail. */
  #trigger: Incoming | undefined;
  #aborted = false;
  #leaving: string | undefined;
  #isGone = false;

  constructor(
    options: { readonly mode?: "tui" | "rpc" | "print" | "json"; readonly id?: string; readonly file?: string } = {},
  ) {
    const { mode = "tui", id = "session-1", file } = options;
    this.#log = new FakeSessionLog(id, file);
    this.entries = this.#log.entries;
    this.host = {
      on: (event: string, handler: Handler) => this.#on(event, handler),
      sendMessage: (message: OutgoingMessage, sendOptions: SendOptions = {}) =>
        this.#live(() => this.#send(message, sendOptions)),
    } as unknown as Pick<ExtensionAPI, "on" | "sendMessage">;
    this.context = {
      mode,
      hasUI: mode === "tui" || mode === "rpc",
      cwd: "/project",
      ui: { notify: (text: string) => this.notices.push(text) },
      isIdle: () => this.#live(() => !this.#isRunActive && !this.compacting),
      abort: () => this.#abort(),
      sessionManager: {
        getSessionId: () => id,
        getSessionFile: () => file,
        getEntries: () => this.#live(() => [...this.entries]),
      },
    } as unknown as ExtensionContext;
  }

  start(reason = "startup"): void {
    this.#emit("session_start", { reason });
  }

  /** The session ends; a run that is active is aborted and settles first. */
  shutdown(reason = "quit"): void {
    this.#abort();
    this.#leaving = reason;
    if (this.#phase !== "running") this.flush();
  }

  /** A person's prompt, from the input to the settlement and to all that follows from it. Throws when a run is active. */
  prompt(text: string, ...script: readonly ModelCall[]): void {
    if (this.#phase === "settling") {
      this.#deferred.push(() => this.prompt(text, ...script));
      return;
    }
    this.input();
    if (this.#isRunActive) throw new Error("Agent is already processing.");
    this.script.push(...script);
    this.#begin({ user: text });
    this.flush();
  }

  /** A prompt arrives and is in preflight; whether a run follows is not said. */
  input(): void {
    this.#emit("input", { source: "interactive" });
  }

  /** Lets a run that was started go to its settlement. */
  flush(): void {
    this.#runIfStarted();
    if (this.#leaving === undefined || this.#phase !== "idle") return;
    const reason = this.#leaving;
    this.#leaving = undefined;
    this.#emit("session_shutdown", { reason });
    this.#isGone = true;
  }

  /** The other extension's settled handler returns, and Pi turns to what was deferred meanwhile. */
  finishSettlement(): void {
    this.slowSettlement = false;
    this.#afterSettlement();
    this.flush();
  }

  get #isRunActive(): boolean {
    return this.#phase === "starting" || this.#phase === "running";
  }

  /** What an extension asks for, as long as its context is not stale. */
  #live<Result>(work: () => Result): Result {
    if (this.#isGone) throw new Error(STALE);
    return work();
  }

  #on(event: string, handler: Handler): void {
    this.#handlers.set(event, [...(this.#handlers.get(event) ?? []), handler]);
  }

  #emit(event: string, data: object): void {
    for (const handler of this.#handlers.get(event) ?? []) handler({ type: event, ...data }, this.context);
  }

  #send(message: OutgoingMessage, options: SendOptions): void {
    const fate = this.sendFates.shift() ?? "taken";
    if (fate === "thrown") throw new Error(STALE);
    this.sent.push({ message, options });
    if (fate !== "swallowed") this.#take(message, options, fate === "dropped" ? undefined : { custom: message });
  }

  #take(message: OutgoingMessage, options: SendOptions, trigger: Incoming | undefined): void {
    const { triggerTurn } = options;
    if (this.#isRunActive) (triggerTurn === false ? this.#passive : this.#followUps).push(message);
    else if (triggerTurn !== true) this.#log.custom(message);
    else if (this.#phase === "settling") this.#deferred.push(() => this.#take(message, options, trigger));
    else this.#begin(trigger);
  }

  #begin(trigger: Incoming | undefined): void {
    this.#phase = "starting";
    this.#trigger = trigger;
    this.#aborted = false;
  }

  #runIfStarted(): void {
    if (this.#phase !== "starting") return;
    if (this.#trigger === undefined) this.#phase = "idle";
    else this.#run(this.#trigger);
  }

  #run(trigger: Incoming): void {
    this.#phase = "running";
    this.#emit("before_agent_start", announcement(trigger));
    this.#appendPassive();
    for (let next: Incoming | undefined = trigger; next !== undefined; next = this.#nextFollowUp()) this.#answer(next);
    this.#appendPassive();
    this.#phase = "settling";
    this.#emit("agent_settled", { aborted: this.#aborted });
    if (!this.slowSettlement) this.#afterSettlement();
  }

  /** Answers a message and the follow-ups that arrive meanwhile. */
  #answer(first: Incoming): void {
    this.#emit("agent_start", {});
    for (let next: Incoming | undefined = first; next !== undefined; next = this.#nextFollowUp()) this.#turn(next);
    this.#emit("agent_end", { messages: [] });
  }

  #nextFollowUp(): Incoming | undefined {
    const message = this.#aborted ? undefined : this.#followUps.shift();
    return message && { custom: message };
  }

  /** One message and the model's answer to it, for which an aborted run does not ask the model. */
  #turn(message: Incoming): void {
    if ("user" in message) this.#log.user();
    else this.#log.custom(message.custom);
    this.#emit("context", { messages: [] });
    if (!this.#aborted) this.#callModel("user" in message ? message.user : message.custom.content);
    this.#log.assistant(this.#aborted ? "aborted" : "stop");
    this.#appendPassive();
  }

  #callModel(input: string): void {
    this.modelCalls.push(input);
    this.script.shift()?.({ abort: () => this.#abort(), isAborted: () => this.#aborted });
  }

  #appendPassive(): void {
    for (const message of this.#passive.splice(0)) this.#log.custom(message);
  }

  /** Does one after the other what was deferred; one that is refused takes the later ones with it. */
  #afterSettlement(): void {
    this.#phase = "idle";
    for (const action of this.#deferred.splice(0)) {
      action();
      this.#runIfStarted();
    }
  }

  /** In the terminal an abort clears what was queued; elsewhere it stays and strands until the next prompt. */
  #abort(): void {
    if (this.#isRunActive) this.#aborted = true;
    if (this.context.mode === "tui") this.#followUps.length = 0;
  }
}
