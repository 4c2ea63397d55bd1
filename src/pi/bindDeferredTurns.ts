import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import { RESULT_MESSAGE_TYPE, STEP_MESSAGE_TYPE } from "../contracts/messageTypes.ts";
import type { ControllerStore } from "../store/controllerStore.ts";
import { openControllerStore } from "../store/openControllerStore.ts";
import { projectStorePath } from "../store/projectStorePath.ts";
import type { StoreDiagnostic } from "../store/storeDiagnostics.ts";
import type { NaturalMessageTypes } from "../turns/deliveredScan.ts";
import { codeOf, DiagnosticLog, sentenceOf } from "../turns/diagnostics.ts";
import { type ProcessMemory, processMemory } from "../turns/processMemory.ts";
import type { SettlementCause } from "../turns/sessionGate.ts";
import { type BindingParts, BoundSession } from "./boundSession.ts";
import type { PiHost } from "./piSession.ts";
import { completeSettings, type DeferredTurnsSettings } from "./settings.ts";
import { type Every, everyUnreferenced } from "./timer.ts";

/** What a host tells the binding; everything has a default that suits a Pi extension. */
export interface DeferredTurnsOptions {
  /** Opens the controller store of a project. By default the project's store under `~/.pi/agent/workflows`. */
  readonly openStore?: (cwd: string) => ControllerStore;
  /** The host's own message types that count as workflow prompts and presentations. */
  readonly naturalTypes?: NaturalMessageTypes;
  /** Periods and bounds; what is left out keeps its default (`DEFAULT_SETTINGS`). */
  readonly settings?: Partial<DeferredTurnsSettings>;
  /** Called when a session is bound, before anything can be sent in it. */
  readonly onStart?: (session: BoundSession, context: ExtensionContext) => void;
  /** Called at every sync pass, before anything departs. */
  readonly onPass?: (session: BoundSession) => void;
  /** Called after every sync pass, when what could depart has departed: the place to show what is pending. */
  readonly onPassed?: (session: BoundSession, context: ExtensionContext) => void;
  /** Called when a turn settled, before a successor may leave: the place for terminal handling. */
  readonly onSettled?: (cause: SettlementCause, session: BoundSession, context: ExtensionContext) => void;
  /** Called when the session closes, while the store is still open. */
  readonly onShutdown?: (session: BoundSession, context: ExtensionContext) => void;
  /** The time, epoch milliseconds; `Date.now` by default. */
  readonly now?: () => number;
  /** A new random token, 1 to 512 characters, for every attempt to deliver; a UUID by default. */
  readonly newClaimToken?: () => string;
  /** Starts the timer of the sync passes; by default one that keeps no process alive. */
  readonly every?: Every;
  /** What the process remembers across `/reload`; the one of the process by default. */
  readonly memory?: ProcessMemory;
}

/** The guarantee, bound to a Pi extension. */
export interface DeferredTurns {
  /** The session that runs now; undefined before `session_start` and after `session_shutdown`. */
  readonly session: BoundSession | undefined;
  /** What went wrong in this extension without stopping anything, the last 100 reports. */
  readonly diagnostics: DiagnosticLog;
}

/**
 * Binds deferred turns to a Pi extension: Pi's events come in, and every message that starts a turn goes out through
 * the session's coordinator. Nothing here throws into Pi; what goes wrong stands in the diagnostics.
 *
 * Settings that are out of bounds throw INVALID_ARGUMENT at once.
 */
export function bindDeferredTurns(pi: PiHost, options: DeferredTurnsOptions = {}): DeferredTurns {
  const binding = new Binding(pi, options);
  binding.listen();
  return binding;
}

class Binding implements DeferredTurns {
  readonly diagnostics: DiagnosticLog;
  readonly #pi: PiHost;
  readonly #options: DeferredTurnsOptions;
  readonly #parts: Omit<BindingParts, "onPassed">;
  #session: BoundSession | undefined;

  constructor(pi: PiHost, options: DeferredTurnsOptions) {
    const now = options.now ?? Date.now;
    this.diagnostics = new DiagnosticLog(now);
    this.#pi = pi;
    this.#options = options;
    this.#parts = {
      pi,
      now,
      openStore: options.openStore ?? ((cwd) => this.#openProjectStore(cwd, now)),
      naturalTypes: options.naturalTypes ?? {
        workflowPrompt: [STEP_MESSAGE_TYPE],
        presentation: [RESULT_MESSAGE_TYPE],
      },
      settings: completeSettings(options.settings),
      memory: options.memory ?? processMemory(),
      newClaimToken: options.newClaimToken ?? (() => crypto.randomUUID()),
      every: options.every ?? everyUnreferenced,
      report: (report) => this.diagnostics.report(report),
      onPass: (session) => options.onPass?.(session),
    };
  }

  get session(): BoundSession | undefined {
    return this.#session;
  }

  listen(): void {
    const pi = this.#pi;
    pi.on("session_start", (_event, context) => this.#safely("session_start", () => this.#start(context)));
    pi.on("session_before_switch", () =>
      this.#safely("session_before_switch", () => this.#session?.gate.switchAnnounced()),
    );
    pi.on("session_before_fork", () =>
      this.#safely("session_before_fork", () => this.#session?.gate.switchAnnounced()),
    );
    pi.on("input", ({ source }) => {
      this.#safely("input", () => source !== "extension" && this.#session?.gate.inputArrived());
    });
    pi.on("before_agent_start", ({ messageType }) => {
      this.#safely("before_agent_start", () => messageType === "user" && this.#session?.gate.userReturned());
    });
    pi.on("agent_start", () => this.#safely("agent_start", () => this.#session?.gate.runStarted()));
    // The first moment at which a sent message can stand among the entries.
    pi.on("context", () => this.#safely("context", () => this.#session?.observe()));
    pi.on("agent_end", () => this.#safely("agent_end", () => this.#session?.observe()));
    pi.on("agent_settled", ({ aborted }, context) =>
      this.#safely("agent_settled", () => this.#settle(aborted, context)),
    );
    pi.on("session_shutdown", ({ reason }, context) =>
      this.#safely("session_shutdown", () => this.#close(reason === "reload" ? "reloaded" : "left", context)),
    );
  }

  #openProjectStore(cwd: string, now: () => number): ControllerStore {
    const onDiagnostic = (diagnostic: StoreDiagnostic): void => this.diagnostics.report(diagnostic);
    return openControllerStore({ path: projectStorePath(cwd), now, onDiagnostic });
  }

  #start(context: ExtensionContext): void {
    this.#session?.close();
    const onPassed = (passed: BoundSession): void => this.#options.onPassed?.(passed, context);
    const session = new BoundSession({ ...this.#parts, onPassed }, context);
    this.#session = session;
    session.greet();
    this.#options.onStart?.(session, context);
  }

  #settle(aborted: boolean, context: ExtensionContext): void {
    const session = this.#session;
    if (session === undefined) return;
    const cause = session.settled(aborted);
    this.#safely("the host's settled handler", () => this.#options.onSettled?.(cause, session, context));
    session.afterSettlement();
  }

  #close(how: "left" | "reloaded", context: ExtensionContext): void {
    const session = this.#session;
    if (session === undefined) return;
    session.gate.closing(how);
    this.#safely("the host's shutdown handler", () => this.#options.onShutdown?.(session, context));
    session.close();
    this.#session = undefined;
  }

  #safely(where: string, work: () => unknown): void {
    try {
      work();
    } catch (error) {
      this.diagnostics.report({ code: codeOf(error), message: `In ${where}: ${sentenceOf(error)}` });
    }
  }
}
