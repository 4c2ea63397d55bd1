import { ACTS } from "./acts.ts";
import { copies } from "./messages.ts";
import { brokenStateRules } from "./rules/stateRules.ts";
import type { Violation } from "./rules/violation.ts";
import { FALLBACK_STATES, PROMPT_STATES, RUN_NAMES, type RunName } from "./runs.ts";
import type { ProcessName } from "./smallProcess.ts";
import type { SmallWorld } from "./smallWorld.ts";

/** Enough for every lease to lapse and every lost message to be sent again. */
const ROUNDS = 16;

/** Rounds after the last delivery, in which nothing more may happen. */
const QUIET_ROUNDS = 3;

/** How many rounds another extension's settled handler still takes: more than a lease, which is renewed meanwhile. */
const SLOW_HANDLER_ROUNDS = 4;

/** How many rounds a slow process lets go by: more than a lease. */
const SLOWNESS = 3;

/**
 * From here on nothing goes wrong any more: what hinders delivery and is a person's to end is ended, a process lives, each
 * makes its passes, the one that acted last but seldom, runs go to their ends, and time goes by. Every intent that is owed
 * must be delivered, once.
 */
export function brokenByFairContinuation(world: SmallWorld, slow: ProcessName | undefined): readonly Violation[] {
  if (world.alive.some(({ pi }) => pi.phase === "settling"))
    for (let i = 0; i < SLOW_HANDLER_ROUNDS; i += 1) goOn(world, slow);
  endWhatPeopleMustEnd(world);
  if (world.alive.length === 0) world.start("C");
  goOnUntil(world, slow, () => !isPromptDue(world));
  const isPromptLost = isPromptDue(world);
  endSecondRun(world);
  goOnUntil(world, slow, () => RUN_NAMES.every((name) => isDelivered(world, name)));
  for (let round = 0; round < QUIET_ROUNDS; round += 1) goOn(world, undefined);
  for (const process of world.alive) ACTS.message.happens(world, process);
  return [
    ...world.violations,
    ...brokenStateRules(world),
    ...(isPromptLost ? [{ rule: "a prompt that is current is delivered in the end", at: "second run" }] : []),
    ...RUN_NAMES.filter((name) => !isDelivered(world, name)).map((name) => ({
      rule: "every eligible intent is delivered in the end",
      at: `${name} run`,
    })),
    ...forgotten(world),
  ];
}

/** Whether a process that lives still owes the prompt of the second run. */
function isPromptDue(world: SmallWorld): boolean {
  const { prompt, runs } = world;
  if (prompt === undefined || !PROMPT_STATES.has(runs.second.state) || !world.processes[prompt.holder].isAlive)
    return false;
  return world.row("second")?.resolved_at == null;
}

/** A run that was interrupted does not stay so for ever: its end is recorded, and its agent is owed a turn. */
function endSecondRun(world: SmallWorld): void {
  const [process] = world.alive;
  const { state } = world.runs.second;
  const isOpen = state === "interrupted" || (state === "over" && world.row("second")?.eligible_at == null);
  if (process !== undefined && isOpen) ACTS.end.happens(world, process);
}

function endWhatPeopleMustEnd(world: SmallWorld): void {
  for (const process of world.alive) {
    if (world.isHeld) ACTS.resume.happens(world, process);
    process.pi.compacting = false;
    if (process.pi.isInPreflight) ACTS.admit.happens(world, process);
    if (process.pi.phase === "settling") ACTS.finishSettlement.happens(world, process);
    process.pi.slowSettlement = false;
    if (world.silenced.has(process.name) || hasSpentItsSends(world, process.name)) {
      process.pi.flush();
      ACTS.message.happens(world, process);
    }
  }
}

/** After so many losses an intent waits for a turn that runs to its end. */
function hasSpentItsSends(world: SmallWorld, name: keyof SmallWorld["processes"]): boolean {
  return world.plan.faults.kinds.includes("dropped") && world.processes[name].memory.sends.size > 0;
}

function goOnUntil(world: SmallWorld, slow: ProcessName | undefined, isReached: () => boolean): void {
  for (let round = 0; round < ROUNDS && !isReached(); round += 1) {
    goOn(world, round % SLOWNESS === SLOWNESS - 1 ? undefined : slow);
  }
}

function goOn(world: SmallWorld, resting: ProcessName | undefined): void {
  for (const process of world.alive) {
    process.pi.flush();
    if (process.name === resting && process.isAwake) continue;
    ACTS.pass.happens(world, process);
    process.pi.flush();
  }
  world.take({ kind: "time" });
}

function isDelivered(world: SmallWorld, name: RunName): boolean {
  const { state, hosts } = world.runs[name];
  if (!FALLBACK_STATES.has(state) && state !== "presenting") return true;
  const row = world.row(name);
  // What a process could not store before it died is lost with it.
  if (row === undefined) return ![...hosts].some((host) => world.processes[host].isAlive);
  return row.resolved_at !== null && copies(world, name) === 1;
}

/** What was resolved leaves nothing behind in any process. */
function forgotten(world: SmallWorld): readonly Violation[] {
  return world.alive.flatMap(({ name, memory }) =>
    [...memory.sent.keys(), ...memory.obligations.keys()]
      .filter((id) => world.files.rows().some((row) => row.intent_id === id && row.resolved_at !== null))
      .map(() => ({ rule: "nothing is remembered of a resolved intent", at: name })),
  );
}
