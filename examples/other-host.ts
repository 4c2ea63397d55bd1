// A host that is not Pi: a chat whose session is a file of JSON lines. Each interruption of its work gets one later turn.
import { randomUUID } from "node:crypto";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import {
  type ControllerStore,
  DEFAULT_SETTINGS,
  DeferredTurnCoordinator,
  DiagnosticLog,
  draftTurnIntent,
  type OutgoingMessage,
  processMemory,
  type SendOptions,
  type SessionEntryView,
  sourceEventId,
  type TurnSession,
} from "../src/index.ts";

/** The model: gets the session's entries, and answers or throws when it is aborted. */
export type Answer = (entries: readonly SessionEntryView[], signal: AbortSignal) => Promise<string>;

/** The port: what the coordinator asks of a session. */
class ChatSession implements TurnSession {
  readonly persisted = true;
  readonly id: string;
  readonly #file: string;
  readonly #entries: SessionEntryView[];
  /** Set by the host: begins a turn, in which the session is not idle. */
  startTurn: () => void = () => undefined;
  isRunning = false;

  constructor(id: string, file: string) {
    this.id = id;
    this.#file = file;
    this.#entries = [...this.storedEntries()];
  }

  isIdle(): boolean {
    return !this.isRunning;
  }

  entries(): readonly SessionEntryView[] {
    return this.#entries;
  }

  storedEntries(): readonly SessionEntryView[] {
    const text = existsSync(this.#file) ? readFileSync(this.#file, "utf8") : "";
    return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as SessionEntryView]));
  }

  send(message: OutgoingMessage, options: SendOptions): void {
    this.append({ type: "custom_message", ...message });
    if (options.triggerTurn === true) this.startTurn();
  }

  append(entry: SessionEntryView & Readonly<Record<string, unknown>>): void {
    appendFileSync(this.#file, `${JSON.stringify(entry)}\n`);
    this.#entries.push(entry);
  }
}

/** The host: tells the coordinator what happens, and calls `pass` every second. */
export class ChatHost {
  readonly diagnostics = new DiagnosticLog(Date.now);
  readonly #session: ChatSession;
  readonly #answer: Answer;
  readonly #coordinator: DeferredTurnCoordinator;
  #turn: AbortController | undefined;

  constructor(options: { id: string; file: string; store: ControllerStore; answer: Answer }) {
    this.#session = new ChatSession(options.id, options.file);
    this.#session.startTurn = () => void this.#run();
    this.#answer = options.answer;
    this.#coordinator = new DeferredTurnCoordinator({
      ...DEFAULT_SETTINGS,
      store: () => options.store,
      session: this.#session,
      life: "resident",
      memory: processMemory(),
      naturalTypes: { workflowPrompt: [], presentation: [] },
      isHeld: () => false,
      now: Date.now,
      newClaimToken: randomUUID,
      report: (report) => this.diagnostics.report(report),
      tellLost: ({ runId }, reason) => this.diagnostics.report({ code: "GUARANTEE_LOST", message: reason, runId }),
    });
  }

  /** A person says something. */
  prompt(text: string): void {
    this.#coordinator.gate.inputArrived();
    this.#coordinator.gate.userReturned();
    this.#session.append({ type: "message", message: { role: "user" }, text });
    void this.#run();
  }

  /** The agent's own tool stops the work that the turn belongs to. First the promise, then the abort. */
  stop(runId: string, reason: string): void {
    const draft = draftTurnIntent({
      targetSessionId: this.#session.id,
      runId,
      workflowRef: "deploy",
      sourceEventId: sourceEventId({ kind: "stop", runId, nodeId: null, attemptId: null }),
      cause: "agentCancelled",
      observedState: "cancelled",
      reason,
    });
    this.#coordinator.ensure(draft, { eligible: true });
    this.#coordinator.gate.ownAbortComing();
    this.#turn?.abort();
  }

  /** The sync pass. A message that is ready leaves here, when nothing runs. */
  pass(): void {
    this.#coordinator.pass();
  }

  async #run(): Promise<void> {
    this.#session.isRunning = true;
    this.#turn = new AbortController();
    this.#coordinator.gate.runStarted();
    this.#coordinator.observe();
    const { signal } = this.#turn;
    const text = await this.#answer(this.#session.entries(), signal).catch(() => "(stopped)");
    this.#session.append({ type: "message", message: { role: "assistant" }, text });
    this.#session.isRunning = false;
    this.#coordinator.settled(signal.aborted);
    this.#coordinator.afterSettlement();
  }
}
