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
  /** How many processes are to be killed on the way, at points that chance selects; each of them is started anew. */
  readonly kills: number;
  /** The longest it may take, milliseconds. */
  readonly deadlineMs: number;
}

/** How it went. */
export interface ArenaResult extends Outcome {
  readonly seconds: number;
  /** How many processes were really killed. */
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
    const arena = new Arena(plan, options.kills);
    try {
      const startedAt = performance.now();
      arena.startAll();
      await arena.untilResolved(options.deadlineMs);
      const seconds = (performance.now() - startedAt) / 1000;
      const diagnostics = await arena.endAll();
      return { seconds, kills: arena.killed, diagnostics, ...readOutcome(plan) };
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

/** About as many points as one intent leads a process through. */
const POINTS_PER_INTENT = 10;

/** The processes at work. */
class Arena {
  readonly #plan: Plan;
  readonly #database: Database.Database;
  readonly #workers: ChildProcess[] = [];
  readonly #failures: string[] = [];
  #sentences: number;
  #killed = 0;
  #isOver = false;

  /** The store must be there already. */
  constructor(plan: Plan, kills: number) {
    this.#plan = plan;
    this.#sentences = kills;
    this.#database = new Database(storePath(plan), { readonly: true });
  }

  get killed(): number {
    return this.#killed;
  }

  startAll(): void {
    for (let worker = 0; worker < this.#plan.workers; worker += 1) this.#start(worker);
  }

  async untilResolved(deadlineMs: number): Promise<void> {
    const isOver = (): boolean => {
      if (this.#failures.length > 0) throw new Error(this.#failures.join("\n"));
      return this.#resolved() === this.#plan.intents;
    };
    const sawInstead = (): string => `${this.#resolved()} of them`;
    await until(isOver, { what: "all intents to be resolved", deadlineMs, sawInstead });
  }

  /** Ends all processes in good order. Returns what they reported in all. */
  async endAll(): Promise<WorkerReport> {
    this.#isOver = true;
    const reports = await Promise.all(this.#workers.map(lastReport));
    const sums: Record<string, number> = {};
    for (const [code, count] of reports.flatMap(Object.entries<number>)) sums[code] = (sums[code] ?? 0) + count;
    return sums;
  }

  /** Kills what is still alive. */
  close(): void {
    this.#isOver = true;
    for (const worker of this.#workers) worker.kill("SIGKILL");
    this.#database.close();
  }

  #resolved(): number {
    const sql = "SELECT count(*) FROM workflow_turn_intents WHERE resolved_at IS NOT NULL";
    return this.#database.prepare<[], number>(sql).pluck().get() ?? 0;
  }

  #start(worker: number): void {
    const dieAt = this.#sentence();
    const order: WorkerOrder = { plan: this.#plan, worker, ...(dieAt === undefined ? {} : { dieAt }) };
    const child = fork(WORKER, [JSON.stringify(order)]);
    this.#workers[worker] = child;
    child.once("exit", (code, signal) => this.#ended(worker, { code, signal }));
  }

  #ended(worker: number, { code, signal }: { readonly code: number | null; readonly signal: string | null }): void {
    if (this.#isOver) return;
    if (signal !== "SIGKILL") this.#failures.push(`Worker ${worker} ended with ${code ?? signal}.`);
    this.#killed += 1;
    this.#start(worker);
  }

  /** When the next process has to die, while there are deaths left. They are spread over the whole way. */
  #sentence(): number | undefined {
    if (this.#sentences === 0) return undefined;
    this.#sentences -= 1;
    const { intents, workers } = this.#plan;
    return 1 + Math.floor((Math.random() * 2 * POINTS_PER_INTENT * intents) / (this.#sentences + 1 + workers));
  }
}

/** Tells a process that it is enough, and waits for its end. One whose time to die comes just then reports nothing. */
async function lastReport(worker: ChildProcess): Promise<WorkerReport> {
  let report: WorkerReport = {};
  worker.once("message", (message: WorkerReport) => {
    report = message;
  });
  const ended = once(worker, "exit");
  worker.send("enough");
  await ended;
  return report;
}
