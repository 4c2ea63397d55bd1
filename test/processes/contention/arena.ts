import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Database from "better-sqlite3";
import { until } from "../../../scenarios/support/until.ts";
import { openControllerStore } from "../../../src/store/openControllerStore.ts";
import { auditClaims } from "./claimAudit.ts";
import { createSessionFile } from "./fileSession.ts";
import { type Outcome, readOutcome } from "./outcome.ts";
import { type Plan, plannedIntents, sessionFile, sessionIds, storePath } from "./plan.ts";
import type { WorkerOrder, WorkerReport } from "./worker.ts";

/** What is contended for. */
export interface ArenaOptions extends Omit<Plan, "folder"> {
  /** How many processes are killed on the way, each of which is started anew. */
  readonly kills: number;
  /** The longest it may take, milliseconds. */
  readonly deadlineMs: number;
}

/** How it went. */
export interface ArenaResult extends Outcome {
  readonly seconds: number;
  readonly kills: number;
  /** What the processes that lived to the end reported, by code. */
  readonly diagnostics: WorkerReport;
}

const WORKER = fileURLToPath(new URL("./worker.ts", import.meta.url));

/** Lets processes contend for the intents of sessions that all of them live, and kills some of them on the way. */
export async function contend(options: ArenaOptions): Promise<ArenaResult> {
  const folder = mkdtempSync(join(tmpdir(), "deferred-turns-arena-"));
  const plan: Plan = { ...options, folder };
  try {
    prepare(plan);
    const arena = new Arena(plan);
    try {
      const startedAt = performance.now();
      arena.startAll();
      await arena.untilResolved(options);
      const seconds = (performance.now() - startedAt) / 1000;
      const diagnostics = await arena.endAll();
      return { seconds, kills: options.kills, diagnostics, ...readOutcome(plan) };
    } finally {
      arena.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Makes the store, the sessions' files, and the intents that are there before any process starts. */
function prepare(plan: Plan): void {
  const store = openControllerStore({ path: storePath(plan) });
  try {
    auditClaims(storePath(plan));
    store.transaction(() => {
      for (const { kind, draft } of plannedIntents(plan)) {
        if (kind === "left") store.ensureWorkflowTurnIntent({ ...draft, eligible: true });
      }
    });
  } finally {
    store.close();
  }
  for (const id of sessionIds(plan)) createSessionFile(sessionFile(plan, id), id);
}

/** The processes at work. */
class Arena {
  readonly #plan: Plan;
  readonly #workers: ChildProcess[] = [];
  readonly #failures: string[] = [];
  readonly #database: Database.Database;

  /** The store must be there already. */
  constructor(plan: Plan) {
    this.#plan = plan;
    this.#database = new Database(storePath(plan), { readonly: true });
  }

  startAll(): void {
    for (let worker = 0; worker < this.#plan.workers; worker += 1) this.#start(worker);
  }

  /** Waits until all intents are resolved. The kills are spread evenly over the way there. */
  async untilResolved({ kills, deadlineMs }: ArenaOptions): Promise<void> {
    const { intents, workers } = this.#plan;
    let killed = 0;
    await until(
      () => {
        if (this.#failures.length > 0) throw new Error(this.#failures.join("\n"));
        const resolved = this.#resolved();
        if (killed < kills && resolved >= ((killed + 1) * intents) / (kills + 1)) {
          this.#killAndRestart(Math.floor(Math.random() * workers));
          killed += 1;
        }
        return resolved === intents && killed === kills;
      },
      { what: "all intents to be resolved", deadlineMs, sawInstead: () => `${this.#resolved()} resolved` },
    );
  }

  /** Ends all processes in good order. Returns what they reported in all. */
  async endAll(): Promise<WorkerReport> {
    const reports = await Promise.all(
      this.#workers.map(async (worker) => {
        const reported = once(worker, "message") as Promise<[WorkerReport]>;
        worker.send("enough");
        const [report] = await reported;
        await once(worker, "exit");
        return report;
      }),
    );
    const sums: Record<string, number> = {};
    for (const [code, count] of reports.flatMap(Object.entries<number>)) sums[code] = (sums[code] ?? 0) + count;
    return sums;
  }

  /** Kills what is still alive. */
  close(): void {
    for (const worker of this.#workers) worker.kill("SIGKILL");
    this.#database.close();
  }

  #resolved(): number {
    const sql = "SELECT count(*) FROM workflow_turn_intents WHERE resolved_at IS NOT NULL";
    return this.#database.prepare<[], number>(sql).pluck().get() ?? 0;
  }

  #start(worker: number): void {
    const order: WorkerOrder = { plan: this.#plan, worker };
    const child = fork(WORKER, [JSON.stringify(order)], { serialization: "json" });
    child.once("exit", (code, signal) => {
      if (code !== 0 && signal !== "SIGKILL") this.#failures.push(`Worker ${worker} ended with ${code ?? signal}.`);
    });
    this.#workers[worker] = child;
  }

  #killAndRestart(worker: number): void {
    this.#workers[worker]?.kill("SIGKILL");
    this.#start(worker);
  }
}
