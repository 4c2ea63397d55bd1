import { appendFileSync } from "node:fs";
import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { PiHost } from "../../src/pi/piSession.ts";
import type { OutgoingMessage, SendOptions, SessionEntryView } from "../../src/turns/session.ts";

type Handler = (event: unknown, context: ExtensionContext) => unknown;

/** What the scripted model does in one call, while the turn runs. */
export type ModelCall = (turn: { readonly abort: () => void; readonly isAborted: () => boolean }) => void;

interface Run {
  readonly trigger: { readonly user: string } | { readonly custom: OutgoingMessage };
}

/**
 * A session that behaves as Pi was measured to: a send has no receipt, an entry appears only when its run reaches the
 * first `context`, sends inside a settled handler are deferred until all handlers have finished, follow-ups wait in
 * memory and are lost or stranded by an abort. Everything is synchronous; `flush` lets started runs go on.
 */
export class FakePi {
  readonly entries: SessionEntryView[] = [];
  readonly sent: { readonly message: OutgoingMessage; readonly options: SendOptions }[] = [];
  readonly notices: string[] = [];
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
  readonly #handlers = new Map<string, Handler[]>();
  readonly #runs: Run[] = [];
  readonly #followUps: OutgoingMessage[] = [];
  readonly #deferred: Run[] = [];
  readonly #file: string | undefined;
  #flushed = 0;
  #phase: "idle" | "starting" | "running" | "settling" = "idle";
  #aborted = false;

  constructor(
    options: { readonly mode?: "tui" | "rpc" | "print" | "json"; readonly id?: string; readonly file?: string } = {},
  ) {
    const { mode = "tui", id = "session-1" } = options;
    this.#file = options.file;
    this.host = {
      on: (event: string, handler: Handler) => this.#on(event, handler),
      sendMessage: (message: OutgoingMessage, sendOptions: SendOptions = {}) => this.#send(message, sendOptions),
    } as unknown as Pick<ExtensionAPI, "on" | "sendMessage">;
    this.context = {
      mode,
      hasUI: mode === "tui" || mode === "rpc",
      cwd: "/project",
      ui: { notify: (text: string) => this.notices.push(text) },
      isIdle: () => (this.#phase === "idle" || this.#phase === "settling") && !this.compacting,
      abort: () => this.#abort(),
      sessionManager: {
        getSessionId: () => id,
        getSessionFile: () => this.#file,
        getEntries: () => [...this.entries],
      },
    } as unknown as ExtensionContext;
  }

  start(reason = "startup"): void {
    this.#emit("session_start", { reason });
  }

  shutdown(reason = "quit"): void {
    if (this.#phase === "running") this.#abort();
    this.#emit("session_shutdown", { reason });
  }

  /** A person's prompt, from the input to the settlement and to all that follows from it. */
  prompt(text: string, ...script: readonly ModelCall[]): void {
    this.input();
    this.script.push(...script);
    this.#runs.push({ trigger: { user: text } });
    this.flush();
  }

  /** A prompt arrives and is in preflight; whether a run follows is not said. */
  input(): void {
    this.#emit("input", { source: "interactive" });
  }

  /** Lets every run that was started go to its settlement. */
  flush(): void {
    for (let run = this.#runs.shift(); run !== undefined; run = this.#runs.shift()) this.#run(run);
    if (this.#phase === "starting") this.#phase = "idle";
  }

  /** The other extension's settled handler returns, and Pi turns to what was deferred meanwhile. */
  finishSettlement(): void {
    this.slowSettlement = false;
    this.#afterSettlement();
    this.flush();
  }

  #on(event: string, handler: Handler): void {
    this.#handlers.set(event, [...(this.#handlers.get(event) ?? []), handler]);
  }

  #emit(event: string, data: object): void {
    for (const handler of this.#handlers.get(event) ?? []) handler({ type: event, ...data }, this.context);
  }

  #send(message: OutgoingMessage, options: SendOptions): void {
    const fate = this.sendFates.shift() ?? "taken";
    if (fate === "thrown") throw new Error("This extension context is stale.");
    this.sent.push({ message, options });
    if (fate === "swallowed") return;
    if (fate === "dropped") {
      this.#phase = "starting";
      return;
    }
    const run: Run = { trigger: { custom: message } };
    if (options.triggerTurn !== true) this.#append(message);
    else if (this.#phase === "settling") this.#deferred.push(run);
    else if (this.#phase === "idle") {
      this.#phase = "starting";
      this.#runs.push(run);
    } else this.#followUps.push(message);
  }

  #run({ trigger }: Run): void {
    this.#phase = "running";
    this.#aborted = false;
    if ("user" in trigger) {
      this.#emit("before_agent_start", { messageType: "user", prompt: trigger.user });
      this.#emit("agent_start", {});
      this.#keep({ type: "message", message: { role: "user" } });
    } else {
      this.#emit("before_agent_start", { messageType: "custom", message: trigger.custom });
      this.#emit("agent_start", {});
      this.#append(trigger.custom);
    }
    this.#callModel("user" in trigger ? trigger.user : trigger.custom.content);
    while (!this.#aborted && this.#followUps.length > 0) this.#runFollowUp();
    this.#emit("agent_end", { messages: [] });
    this.#phase = "settling";
    this.#emit("agent_settled", { aborted: this.#aborted });
    if (!this.slowSettlement) this.#afterSettlement();
  }

  #runFollowUp(): void {
    const message = this.#followUps.shift();
    if (message === undefined) return;
    this.#append(message);
    this.#callModel(message.content);
  }

  #callModel(input: string): void {
    this.#emit("context", { messages: [] });
    this.modelCalls.push(input);
    this.script.shift()?.({ abort: () => this.#abort(), isAborted: () => this.#aborted });
    this.#keep({ type: "message", message: { role: "assistant" } });
  }

  #afterSettlement(): void {
    this.#phase = "idle";
    this.#runs.push(...this.#deferred.splice(0));
    if (this.#runs.length > 0) this.#phase = "starting";
  }

  #append({ customType, details }: OutgoingMessage): void {
    this.#keep({ type: "custom_message", customType, details });
  }

  #keep(entry: SessionEntryView): void {
    this.entries.push(entry);
    if (this.#file === undefined || (this.#flushed === 0 && entry.type !== "message")) return;
    for (const unwritten of this.entries.slice(this.#flushed))
      appendFileSync(this.#file, `${JSON.stringify(unwritten)}\n`);
    this.#flushed = this.entries.length;
  }

  /** In the terminal an abort clears what was queued; elsewhere it stays and strands until the next prompt. */
  #abort(): void {
    this.#aborted = true;
    if (this.context.mode === "tui") this.#followUps.length = 0;
  }
}
