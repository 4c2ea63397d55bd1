import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ProjectTrustStore } from "@earendil-works/pi-coding-agent";
import { enterEnvironment, inheritedEnvironment } from "./environment.ts";
import { SCRIPTED_MODEL_ID, SCRIPTED_PROVIDER_ID } from "./scriptedModel.ts";

/** Everything Pi reads or writes in one scenario, in one temporary directory. */
export interface World {
  readonly root: string;
  /** The working directory of Pi: empty, and trusted. */
  readonly projectDir: string;
  /** `PI_CODING_AGENT_DIR`: settings, trust and credentials, of which there are none. */
  readonly agentDir: string;
  /** Where session files go. */
  readonly sessionDir: string;
  /** `PI_WORKFLOWS_CONTROLLER_DIR`: where the controller store goes. */
  readonly controllerDir: string;
  /** The whole environment for a child process: no network, none of the caller's keys. */
  readonly env: Readonly<Record<string, string>>;
  /** Puts this very process into the world's environment until the world ends, for Pi sessions in process. */
  enter(): void;
  /** Has `cleanup` done when the world ends, the newest first. It may have been done before by then. */
  defer(cleanup: () => unknown): void;
  /** Ends whatever still runs in the world, then removes the directory unless it is kept. May be called again. */
  dispose(): Promise<void>;
}

/** What differs from the usual world. */
export interface WorldOptions {
  /** Leaves the directory behind, for a person to look into. */
  readonly keep?: boolean;
  /** Variables on top of the world's own. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Settings that leave nothing to chance: no retries, no compaction, no cache warming, no start-up texts. */
const SETTINGS = {
  defaultProvider: SCRIPTED_PROVIDER_ID,
  defaultModel: SCRIPTED_MODEL_ID,
  quietStartup: true,
  cacheWarming: "off",
  enableInstallTelemetry: false,
  compaction: { enabled: false },
  retry: { enabled: false },
};

/** Makes a new world. The caller disposes of it. */
export function createWorld(options: WorldOptions = {}): World {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "pi-deferred-turns-")));
  const directory = (name: string): string => {
    const path = join(root, name);
    mkdirSync(path);
    return path;
  };
  const home = directory("home");
  const projectDir = directory("project");
  const agentDir = directory("agent");
  const sessionDir = directory("sessions");
  const controllerDir = directory("controller");
  writeFileSync(join(agentDir, "settings.json"), `${JSON.stringify(SETTINGS, undefined, 2)}\n`);
  new ProjectTrustStore(agentDir).set(projectDir, true);
  const cleanups: (() => unknown)[] = [];
  const env = {
    ...inheritedEnvironment(process.env),
    HOME: home,
    TERM: "xterm-256color",
    PI_OFFLINE: "1",
    PI_SKIP_VERSION_CHECK: "1",
    PI_TELEMETRY: "0",
    PI_CODING_AGENT_DIR: agentDir,
    PI_WORKFLOWS_CONTROLLER_DIR: controllerDir,
    ...options.env,
  };
  let entered = false;
  return {
    root,
    projectDir,
    agentDir,
    sessionDir,
    controllerDir,
    env,
    enter: () => {
      if (entered) return;
      entered = true;
      cleanups.unshift(enterEnvironment(env));
    },
    defer: (cleanup) => cleanups.push(cleanup),
    dispose: async () => {
      try {
        for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
      } finally {
        if (options.keep !== true) rmSync(root, { recursive: true, force: true, maxRetries: 3 });
      }
    },
  };
}
