import { type Disturbance, LEAST_LEASE_MS, SETTINGS, type SimulatedProcess } from "../world/simulatedProcess.ts";
import type { SimulatedSession } from "../world/simulatedSession.ts";
import { recordedMessages } from "../world/simulatedSession.ts";
import type { SentMessage, World } from "../world/world.ts";
import type { Broken } from "./broken.ts";

/** At most one message for each intent, in each session; duplicates that are admitted are counted. */
export function judgeMessages(world: World): Broken | undefined {
  for (const intentId of sentTwice(world.sends)) {
    for (const session of world.sessions) {
      const sends = recordedSends(world, session, intentId);
      if (sends.length < 2) continue;
      const excuse = excuseOf(
        sends,
        world.sends.filter((sent) => sent.intentId === intentId),
      );
      if (excuse !== undefined) {
        world.admitDuplicate(intentId, excuse);
        continue;
      }
      const senders = sends.map(({ process, at }) => `${process.name} at ${(at / 1000).toFixed(1)} s`).join(", ");
      const name = world.story.nameOf(intentId);
      return {
        invariant: "oneMessage",
        sentence: `${name} has ${sends.length} messages in ${session.id}: ${senders}.`,
      };
    }
  }
  return undefined;
}

/**
 * What made a lease lapse for one process and not for the other, so that both had to believe that the turn is theirs. Attempts are
 * all sends, also those that Pi lost: one by a wrong clock is enough to take the claim from its holder.
 */
function excuseOf(sends: readonly SentMessage[], attempts: readonly SentMessage[]): Disturbance | undefined {
  const [first, last] = [sends[0], sends.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const since = last.at - SETTINGS.turns.deliveryLeaseMs;
  const senders = sends.map(({ process }) => process);
  const stoodStill = ({ standstills, stoodStillAt }: SimulatedProcess): boolean =>
    standstills > 0 || stoodStillAt >= since;
  if (stoodStill(last.process)) return "a process that stood still";
  // What the file shows, another process must find, whatever lapsed.
  if (last.wasInFile || new Set(senders).size === 1) return undefined;
  if (senders.some(stoodStill)) return "a process that stood still";
  const later = attempts.filter(({ at }) => at > first.at);
  if (later.some((attempt) => senders.some((sender) => failedJustBefore(attempt, sender)))) {
    return "a store out of its holder's reach";
  }
  if (attempts.some(({ clocksApart }) => clocksApart >= LEAST_LEASE_MS)) return "clocks that disagree";
  return sends.find(({ disturbed }) => disturbed !== undefined)?.disturbed;
}

/** Whether the store failed a process in the lease before an attempt, so that it could not renew its claim. */
function failedJustBefore({ at }: SentMessage, { storeFailures }: SimulatedProcess): boolean {
  return storeFailures.some((failedAt) => failedAt >= at - SETTINGS.turns.deliveryLeaseMs && failedAt <= at);
}

/** The intents for which Pi was handed more than one message. */
function sentTwice(sends: readonly SentMessage[]): readonly string[] {
  const once = new Set<string>();
  const twice = new Set<string>();
  for (const { intentId } of sends) {
    if (intentId === undefined) continue;
    if (once.has(intentId)) twice.add(intentId);
    once.add(intentId);
  }
  return [...twice];
}

/** The sends of an intent in a session that Pi recorded, in the file or in the memory of a process that lives. */
function recordedSends(world: World, session: SimulatedSession, intentId: string): readonly SentMessage[] {
  const inMemory = world.living.flatMap((process) => (process.session === session ? process.pi.entries : []));
  const ids = new Set(
    recordedMessages([...session.stored(), ...inMemory])
      .filter((message) => message.intentId === intentId)
      .map(({ id }) => id),
  );
  return world.sends.filter((sent) => sent.session === session && ids.has(sent.moment.id));
}
