import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { SessionEntry } from "@earendil-works/pi-coding-agent";
import type { WorkflowRun, WorkflowTurnIntent } from "../../../generated/records.ts";
import { readSessionEntries, sessionFiles } from "../../../scenarios/support/sessionFile.ts";
import type { World } from "../../../scenarios/support/world.ts";
import { turnIntentIdIn } from "../../../src/contracts/messageDetails.ts";
import { type RunHistory, readHistory } from "../../../src/runtime/runHistory.ts";
import { openControllerStore } from "../../../src/store/openControllerStore.ts";
import { projectStorePath } from "../../../src/store/projectStorePath.ts";
import { integrityOf } from "../support/integrity.ts";

/** What a process left behind on the disk. */
export interface Remains {
  readonly run: WorkflowRun | undefined;
  readonly history: RunHistory | undefined;
  readonly intents: readonly WorkflowTurnIntent[];
  /** The ids of intents that messages of the session carry, one for each message. */
  readonly delivered: readonly string[];
  /** What is damaged: the database, or the session's file. */
  readonly damages: readonly string[];
}

/** Reads what is on the disk from a copy, so that no look of ours helps the store to recover. */
export function readRemains(world: World): Remains {
  const copy = mkdtempSync(join(world.root, "copy-"));
  try {
    cpSync(world.controllerDir, copy, { recursive: true });
    const path = projectStorePath(world.projectDir, { ...world.env, PI_WORKFLOWS_CONTROLLER_DIR: copy });
    const { entries, damages } = readSession(world);
    const delivered = entries.flatMap((entry) =>
      entry.type === "custom_message" ? (turnIntentIdIn(entry.details) ?? []) : [],
    );
    if (!existsSync(path)) return { run: undefined, history: undefined, intents: [], delivered, damages };
    return { ...readStore(path), delivered, damages: [...damages, ...integrityOf(path)] };
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function readStore(path: string): Pick<Remains, "run" | "history" | "intents"> {
  const store = openControllerStore({ path });
  try {
    const [run] = store.listWorkflowRuns({ limit: 1 });
    const history = run && readHistory(store, run.runId);
    return { run, history, intents: store.listWorkflowTurnIntents({ limit: 100 }).intents };
  } finally {
    store.close();
  }
}

function readSession({ sessionDir }: World): {
  readonly entries: readonly SessionEntry[];
  readonly damages: readonly string[];
} {
  const [file] = sessionFiles(sessionDir);
  if (file === undefined) return { entries: [], damages: [] };
  const lines = readFileSync(file, "utf8").split("\n");
  const damages = lines.filter((line) => line !== "" && !isJson(line)).map((line) => `session file: ${line}`);
  return { entries: readSessionEntries(file), damages };
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
