import type { ExtensionContext, MessageRenderer } from "@earendil-works/pi-coding-agent";
import type { WorkflowHost } from "../../src/runtime/bindWorkflows.ts";
import { PLAIN } from "../../src/runtime/screen/layout.ts";
import type { OutgoingMessage, SendOptions, SessionEntryView } from "../../src/turns/session.ts";

type Handler = (event: unknown, context: ExtensionContext) => unknown;

/** A tool as an extension registers it. */
export interface FakeTool {
  readonly name: string;
  readonly execute: (toolCallId: string, parameters: unknown) => Promise<unknown>;
}

/** A command as an extension registers it. */
export interface FakeCommand {
  readonly handler: (args: string, context: ExtensionContext) => Promise<void>;
}

/** What an extension can ask of its session. */
export interface FakeSessionPort {
  readonly id: string;
  readonly file: string | undefined;
  readonly mode: "tui" | "rpc" | "print" | "json";
  readonly send: (message: OutgoingMessage, options: SendOptions) => void;
  readonly isIdle: () => boolean;
  readonly abort: () => void;
  readonly entries: () => readonly SessionEntryView[];
  readonly branch: () => readonly SessionEntryView[];
  readonly notify: (text: string) => void;
}

const STALE = "This extension context is stale.";

/** One instance of an extension: what it listens to, and what it holds of Pi until its session closes. */
export class FakeExtension {
  readonly host: WorkflowHost;
  readonly context: ExtensionContext;
  readonly tools = new Map<string, FakeTool>();
  readonly commands = new Map<string, FakeCommand>();
  readonly renderers = new Map<string, MessageRenderer>();
  /** What stands in the status line, by key. */
  readonly statuses = new Map<string, string>();
  readonly #handlers = new Map<string, Handler[]>();
  #isStale = false;

  constructor(port: FakeSessionPort) {
    const { id, file, mode } = port;
    this.host = {
      on: (event: string, handler: Handler) => this.#on(event, handler),
      sendMessage: (message: OutgoingMessage, options: SendOptions = {}) =>
        this.#live(() => port.send(message, options)),
      registerTool: (tool: FakeTool) => this.tools.set(tool.name, tool),
      registerCommand: (name: string, command: FakeCommand) => this.commands.set(name, command),
      registerMessageRenderer: (type: string, renderer: MessageRenderer) => this.renderers.set(type, renderer),
    } as unknown as WorkflowHost;
    this.context = {
      mode,
      hasUI: mode === "tui" || mode === "rpc",
      cwd: "/project",
      ui: { notify: port.notify, setStatus: (key: string, text?: string) => this.#setStatus(key, text), theme: PLAIN },
      isProjectTrusted: () => true,
      isIdle: () => this.#live(port.isIdle),
      abort: port.abort,
      sessionManager: {
        getSessionId: () => id,
        getSessionFile: () => file,
        getEntries: () => this.#live(() => [...port.entries()]),
        getBranch: () => this.#live(port.branch),
      },
    } as unknown as ExtensionContext;
  }

  /** Its session closed, or it was loaded anew: what it still holds of Pi throws. */
  retire(): void {
    this.#isStale = true;
  }

  emit(event: string, data: object): void {
    for (const handler of this.#handlers.get(event) ?? []) handler({ type: event, ...data }, this.context);
  }

  #setStatus(key: string, text: string | undefined): void {
    if (text === undefined) this.statuses.delete(key);
    else this.statuses.set(key, text);
  }

  #on(event: string, handler: Handler): void {
    this.#handlers.set(event, [...(this.#handlers.get(event) ?? []), handler]);
  }

  /** What the extension asks for, as long as its context is not stale. */
  #live<Result>(work: () => Result): Result {
    if (this.#isStale) throw new Error(STALE);
    return work();
  }
}
