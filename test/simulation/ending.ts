import type { WorkflowTurnIntent } from "../../generated/records.ts";
import { SETTINGS, type SimulatedProcess } from "./world/simulatedProcess.ts";
import type { World } from "./world/world.ts";

/** How often the world gets a chance to deliver what it owes. Each one is longer than a lease. */
const ROUNDS = 45;

/** A result that was due in a process that has gone is offered again when its session starts the next time. */
const ROUNDS_BEFORE_RELOAD = 8;

/** What the wall clock goes on in a round, beyond the seconds that tick: what was claimed before it was set back lapses. */
const ROUND_MS = 15_000;

const MOST_STEPS = 400;

const TERMINAL: ReadonlySet<string | undefined> = new Set(["done", "failed", "cancelled"]);

/**
 * Lets everything work again, and time go by: then every session that is open and idle must have had its turns. Sessions
 * that nobody has open are opened once more.
 */
export function playEnding(world: World): void {
  world.story.tell("all faults end.");
  mend(world);
  let owed: readonly WorkflowTurnIntent[] = [];
  for (let round = 0; round < ROUNDS && world.violation === undefined; round += 1) {
    owed = owedIntents(world);
    if (round > 1 && owed.length === 0) return;
    openSessions(world, owed);
    if (round === ROUNDS_BEFORE_RELOAD) reloadSessions(world, owed);
    for (const process of world.living) rest(world, process);
    world.time.pass(2500);
    for (const process of world.living) rest(world, process);
    world.judge();
    world.time.jump(ROUND_MS);
    world.bury();
  }
  const [left] = owed;
  if (left === undefined || world.violation !== undefined) return;
  const run = world.view.state.runs.get(left.runId);
  world.violate(
    "deliveredInTheEnd",
    `${world.story.nameOf(left.intentId)} (${left.eligibleAt === null ? "not eligible" : "eligible"}, run ${run?.status}) is still pending in ${left.targetSessionId}.`,
  );
}

function mend(world: World): void {
  world.view.unlock();
  world.time.thaw();
  world.clockWasSet();
  for (const process of world.living) {
    process.fault = undefined;
    process.trap = undefined;
    process.clock.straighten();
    process.pi.sendFates.length = 0;
    process.pi.slowSettlement = false;
    process.pi.slowPreflight = false;
    process.pi.compacting = false;
  }
}

/** The intents that must still be delivered: of sessions that can be opened, and of runs that nobody holds. */
function owedIntents(world: World): readonly WorkflowTurnIntent[] {
  const { intents, runs, held } = world.view.state;
  return [...intents.values()].filter(({ resolvedAt, runId, eligibleAt, targetSessionId }) => {
    const run = runs.get(runId);
    const session = world.sessions.find(({ id }) => id === targetSessionId);
    const isOpen = world.living.some((process) => process.session === session && process.isResident);
    if (resolvedAt !== null || held.has(runId) || (!isOpen && session?.isOnDisk !== true)) return false;
    return eligibleAt !== null || (TERMINAL.has(run?.status) && run?.errorCode !== "userCancelled");
  });
}

/** Opens the sessions that are owed a turn and that nobody has open. */
function openSessions(world: World, owed: readonly WorkflowTurnIntent[]): void {
  for (const id of new Set(owed.map(({ targetSessionId }) => targetSessionId))) {
    const session = world.sessions.find((other) => other.id === id);
    const isOpen = world.living.some((process) => process.session === session && process.isResident);
    if (session === undefined || isOpen) continue;
    const free = world.slots.findIndex((process) => process?.isAlive !== true);
    world.startProcess(free < 0 ? world.slots.length : free, "tui", session);
  }
}

/** Starts the sessions anew in which a result is still due. */
function reloadSessions(world: World, owed: readonly WorkflowTurnIntent[]): void {
  const due = new Set(
    owed.filter(({ eligibleAt }) => eligibleAt === null).map(({ targetSessionId }) => targetSessionId),
  );
  for (const process of world.living) {
    if (!process.isResident || !due.has(process.session.id)) continue;
    world.story.tell(`a person reloads the extensions of ${process.name}.`);
    world.guard(process, () => process.reload());
  }
}

/** Lets a process do what it has to do; the user speaks where nothing can come before they have. */
function rest(world: World, process: SimulatedProcess): void {
  const { memory, session } = process;
  const isSilent = memory.silencedSessions.has(session.id);
  const isSpent = [...memory.sends.values()].some(({ count }) => count >= SETTINGS.turns.maxSends);
  // Pi may hold what it only queued for as long as it likes: without another run nobody knows that it is lost.
  const isQueued = [...memory.sent.values()].some(({ deferredAtRun }) => deferredAtRun !== undefined);
  stepOn(world, process);
  if (process.isAlive && process.isResident && (isSilent || isSpent || isQueued)) {
    world.story.tell(`a person speaks in ${process.name}.`);
    process.typedAt = world.time.elapsed;
    world.guard(process, () => process.pi.type("Go on."));
    stepOn(world, process);
  }
}

function stepOn(world: World, process: SimulatedProcess): void {
  for (let count = 0; count < MOST_STEPS && process.isAlive; count += 1) {
    const { pi } = process;
    const isStep = pi.modelCalls.at(-1)?.startsWith("Workflow ") === true;
    if (pi.isThinking && isStep) world.guard(process, () => process.callTool({ action: "complete", result: "Done." }));
    for (const command of process.commands) command.end({ status: "done", output: "output" });
    if (!world.step(process)) return;
    world.judge();
  }
}
