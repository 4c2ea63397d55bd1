// One of the processes that live the same sessions on the same store, until the parent says that it is enough.
import { setImmediate as nextMacrotask, setTimeout as sleep } from "node:timers/promises";
import { ControllerStore } from "../../../src/store/controllerStore.ts";
import { openControllerStore } from "../../../src/store/openControllerStore.ts";
import { createProcessMemory } from "../../../src/turns/processMemory.ts";
import { Points } from "../support/points.ts";
import { STORE_WRITES } from "../support/storeWrites.ts";
import { FileSession } from "./fileSession.ts";
import { LiveSession } from "./liveSession.ts";
import { type Plan, type PlannedIntent, plannedIntents, sessionFile, sessionIds, storePath } from "./plan.ts";

/** What a parent tells a worker, in its first argument. */
export interface WorkerOrder {
  readonly plan: Plan;
  readonly worker: number;
  /** The worker kills itself at the n-th point that it reaches: before or after a write, a send or a message's entry. */
  readonly dieAt?: number;
}

/** How often each diagnostic code was reported; a worker's last message. */
export type WorkerReport = Readonly<Record<string, number>>;

/** How many interruptions and prompts of a worker's own share begin in one round. */
const PER_ROUND = 4;

/** The sync period of a worker with nothing to do, milliseconds. */
const IDLE_MS = 5;

class Worker {
  readonly #sessions: ReadonlyMap<string, LiveSession>;
  readonly #share: PlannedIntent[];
  readonly #worker: number;
  readonly #store: ReturnType<typeof openControllerStore>;
  readonly #counts: Record<string, number> = {};
  #ending: PlannedIntent[] = [];
  #isEnough = false;

  constructor({ plan, worker }: WorkerOrder) {
    const memory = createProcessMemory();
    this.#worker = worker;
    this.#store = openControllerStore({ path: storePath(plan), busyTimeoutMs: 250 });
    const parts = { store: this.#store, memory, report: ({ code }: { readonly code: string }) => this.#count(code) };
    this.#sessions = new Map(
      sessionIds(plan).map((id) => [id, new LiveSession(parts, new FileSession(id, sessionFile(plan, id)))]),
    );
    this.#share = plannedIntents(plan).filter(
      ({ kind, owner, rival }) => kind !== "left" && (owner === worker || (rival === worker && kind !== "interrupted")),
    );
  }

  /** Works until it is told that it is enough. */
  async work(): Promise<WorkerReport> {
    while (!this.#isEnough) {
      this.#begin();
      let turns = 0;
      for (const session of this.#sessions.values()) {
        session.pass();
        // As in Pi, the turn of a message begins soon after it was sent, and not in the same stretch.
        await nextMacrotask();
        if (session.turn()) turns += 1;
      }
      if (turns === 0 && this.#share.length === 0) await sleep(IDLE_MS);
    }
    this.#store.close();
    return this.#counts;
  }

  enough(): void {
    this.#isEnough = true;
  }

  /** Ends the runs that were interrupted in the round before, and begins the next of this worker's share. */
  #begin(): void {
    for (const planned of this.#ending) this.#sessionOf(planned).end(planned);
    this.#ending = [];
    for (const planned of this.#share.splice(0, PER_ROUND)) this.#beginOne(planned);
  }

  #beginOne(planned: PlannedIntent): void {
    const { kind, owner } = planned;
    const [session, isOwner] = [this.#sessionOf(planned), owner === this.#worker];
    if (isOwner) session.interrupt(planned);
    if (kind === "interrupted") this.#ending.push(planned);
    else if (kind === "contested" && !isOwner) session.end(planned);
    else session.offerPrompt(planned);
  }

  #sessionOf({ draft }: PlannedIntent): LiveSession {
    const session = this.#sessions.get(draft.targetSessionId);
    if (session === undefined) throw new Error(`No session ${draft.targetSessionId} is lived here.`);
    return session;
  }

  #count(code: string): void {
    this.#counts[code] = (this.#counts[code] ?? 0) + 1;
  }
}

const order = JSON.parse(process.argv[2] ?? "") as WorkerOrder;
const points = new Points(() => {
  if (points.reached.length === order.dieAt) process.kill(process.pid, "SIGKILL");
});
points.watch(ControllerStore.prototype, STORE_WRITES);
points.watch(FileSession.prototype, ["send", "takeIn"]);
const worker = new Worker(order);
process.once("message", () => worker.enough());
process.send?.(await worker.work());
process.disconnect();
