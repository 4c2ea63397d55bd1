import {
  type AgentSession,
  type AgentSessionEvent,
  type AgentSessionRuntime,
  type CreateAgentSessionRuntimeFactory,
  createAgentSessionFromServices,
  createAgentSessionRuntime,
  createAgentSessionServices,
  type ExtensionContext,
  type ExtensionError,
  type ExtensionFactory,
  ModelRuntime,
  type SessionEntry,
  SessionManager,
} from "@earendil-works/pi-coding-agent";
import { MemoryCallLog, type ModelCall } from "./modelCalls.ts";
import { ScriptedModel, type ScriptedStep } from "./scriptedModel.ts";
import { type UntilOptions, until } from "./until.ts";
import type { World } from "./world.ts";

/** A session of real Pi in this process. */
export interface SdkSessionOptions {
  readonly world: World;
  readonly steps: readonly ScriptedStep[];
  /** Extension files or package directories, loaded as Pi loads them. */
  readonly extensions?: readonly string[];
  /** Extensions written inline. */
  readonly factories?: readonly ExtensionFactory[];
  /** What `ctx.mode` tells extensions. Default: rpc, a host that lives on after a turn. */
  readonly mode?: ExtensionContext["mode"];
  /** A session file to continue. Default: a new session. */
  readonly resume?: string;
  /** Whether a new session is kept in a file. Default: true. */
  readonly persisted?: boolean;
  /** Sees each event of the session as it happens. */
  readonly onEvent?: (event: AgentSessionEvent) => void;
}

/** Opens a session with the scripted model; extensions have seen `session_start` when it returns. */
export async function openSdkSession(options: SdkSessionOptions): Promise<SdkSession> {
  options.world.enter();
  const model = new ScriptedModel(options.steps, new MemoryCallLog());
  const session = new SdkSession(await createRuntime(options, model), model, options);
  options.world.defer(() => session.dispose());
  await session.bind();
  return session;
}

async function createRuntime(options: SdkSessionOptions, model: ScriptedModel): Promise<AgentSessionRuntime> {
  const { world } = options;
  const factory: CreateAgentSessionRuntimeFactory = async ({ cwd, agentDir, sessionManager, sessionStartEvent }) => {
    const modelRuntime = await ModelRuntime.create({ authPath: `${agentDir}/auth.json`, modelsPath: null });
    modelRuntime.registerNativeProvider(model.provider);
    const services = await createAgentSessionServices({
      cwd,
      agentDir,
      modelRuntime,
      resourceLoaderOptions: {
        noExtensions: true,
        noSkills: true,
        noPromptTemplates: true,
        noContextFiles: true,
        additionalExtensionPaths: [...(options.extensions ?? [])],
        extensionFactories: [...(options.factories ?? [])],
      },
    });
    refuseExtensionErrors(services.resourceLoader.getExtensions().errors);
    const created = await createAgentSessionFromServices({
      services,
      sessionManager,
      model: model.model,
      ...(sessionStartEvent === undefined ? {} : { sessionStartEvent }),
    });
    return { ...created, services, diagnostics: services.diagnostics };
  };
  return createAgentSessionRuntime(factory, {
    cwd: world.projectDir,
    agentDir: world.agentDir,
    sessionManager: sessionManager(options),
  });
}

function sessionManager({ world, resume, persisted = true }: SdkSessionOptions): SessionManager {
  if (resume !== undefined) return SessionManager.open(resume, world.sessionDir);
  if (!persisted) return SessionManager.inMemory(world.projectDir);
  return SessionManager.create(world.projectDir, world.sessionDir);
}

function refuseExtensionErrors(errors: readonly { readonly path: string; readonly error: string }[]): void {
  if (errors.length === 0) return;
  throw new Error(errors.map(({ path, error }) => `Pi cannot load the extension ${path}: ${error}`).join("\n"));
}

/** An open session: what it did so far, and how to go on. */
export class SdkSession {
  /** The session's host: new session, resume, fork. */
  readonly runtime: AgentSessionRuntime;
  /** All events so far, those of earlier sessions of this runtime included. */
  readonly events: AgentSessionEvent[] = [];
  /** Errors that Pi reported for extensions. */
  readonly errors: ExtensionError[] = [];
  readonly #model: ScriptedModel;
  readonly #options: SdkSessionOptions;
  #disposed = false;

  constructor(runtime: AgentSessionRuntime, model: ScriptedModel, options: SdkSessionOptions) {
    this.runtime = runtime;
    this.#model = model;
    this.#options = options;
    this.runtime.setRebindSession(() => this.bind());
  }

  get session(): AgentSession {
    return this.runtime.session;
  }

  get calls(): readonly ModelCall[] {
    return this.#model.calls;
  }

  get entries(): readonly SessionEntry[] {
    return this.session.sessionManager.getEntries();
  }

  /** Listens to the current session and starts its extensions. The runtime calls it after each replacement. */
  async bind(): Promise<void> {
    const { session } = this;
    session.subscribe((event) => {
      this.events.push(event);
      this.#options.onEvent?.(event);
    });
    await session.bindExtensions({
      mode: this.#options.mode ?? "rpc",
      onError: (error) => this.errors.push(error),
      commandContextActions: {
        waitForIdle: () => this.session.waitForIdle(),
        newSession: (options) => this.runtime.newSession(options),
        fork: (entryId, options) => this.runtime.fork(entryId, options),
        navigateTree: (targetId, options) => this.session.navigateTree(targetId, options),
        switchSession: (path, options) => this.runtime.switchSession(path, options),
        reload: () => this.session.reload(),
      },
    });
  }

  /** Sends a user's prompt; returns when the run has ended, with the turns that settled handlers asked for. */
  async prompt(text: string): Promise<void> {
    await this.session.prompt(text);
  }

  /** Waits until Pi has settled `count` times in all and is idle. */
  async untilSettledIdle(count = 1): Promise<void> {
    const settled = (): number => this.events.filter((event) => event.type === "agent_settled").length;
    await this.until(() => settled() >= count && this.session.isIdle, { what: `settlement number ${count}` });
  }

  /** Waits for a condition; a failure lists the events. */
  async until<T>(condition: () => T | undefined | false, options: UntilOptions): Promise<T> {
    return until(condition, { sawInstead: () => this.events.map((event) => event.type).join(", "), ...options });
  }

  /** Quits: Pi aborts what runs, extensions see `session_shutdown`. May be called again. */
  async dispose(): Promise<void> {
    if (this.#disposed) return;
    this.#disposed = true;
    await this.runtime.dispose();
  }
}
